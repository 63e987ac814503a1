ALTER TABLE `account` ADD `confirmed_ms` integer;--> statement-breakpoint
ALTER TABLE `account` ADD `closed_ms` integer;