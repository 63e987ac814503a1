ALTER TABLE `account` DROP COLUMN `alert_below_ops`;--> statement-breakpoint
ALTER TABLE `account` DROP COLUMN `alerted_ms`;