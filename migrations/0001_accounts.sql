CREATE TABLE `audit` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`account_id` text NOT NULL,
	`at_ms` integer NOT NULL,
	`act` text NOT NULL,
	`subject` text NOT NULL,
	`detail` text NOT NULL,
	`by` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `audit_account` ON `audit` (`account_id`,`id`);--> statement-breakpoint
CREATE TABLE `outbox` (
	`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`to_address` text NOT NULL,
	`subject` text NOT NULL,
	`body` text NOT NULL,
	`sent_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `passkey` (
	`credential_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`public_key` blob NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`label` text NOT NULL,
	`created_ms` integer NOT NULL,
	`last_used_ms` integer
);
--> statement-breakpoint
CREATE INDEX `passkey_account` ON `passkey` (`account_id`);--> statement-breakpoint
CREATE TABLE `payment` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`ops` integer NOT NULL,
	`received_ms` integer NOT NULL,
	`origin` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `payment_account` ON `payment` (`account_id`,`received_ms`);--> statement-breakpoint
CREATE TABLE `session` (
	`hash` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`id` text NOT NULL,
	`created_ms` integer NOT NULL,
	`last_seen_ms` integer NOT NULL,
	`proven_ms` integer NOT NULL,
	`agent` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `session_id_unique` ON `session` (`id`);--> statement-breakpoint
CREATE INDEX `session_account` ON `session` (`account_id`);--> statement-breakpoint
CREATE TABLE `snapshot` (
	`id` text PRIMARY KEY NOT NULL,
	`store_id` text NOT NULL,
	`account_id` text NOT NULL,
	`label` text NOT NULL,
	`reason` text NOT NULL,
	`created_ms` integer NOT NULL,
	`expires_ms` integer,
	`bytes` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `snapshot_store` ON `snapshot` (`store_id`,`created_ms`);--> statement-breakpoint
CREATE TABLE `throttle` (
	`key` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`window_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `ticket` (
	`hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`account_id` text,
	`expires_ms` integer
);
--> statement-breakpoint
CREATE INDEX `ticket_account` ON `ticket` (`account_id`,`purpose`);--> statement-breakpoint
CREATE TABLE `token` (
	`hash` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`account_id` text NOT NULL,
	`label` text NOT NULL,
	`level` text NOT NULL,
	`created_ms` integer NOT NULL,
	`last_used_ms` integer,
	`revoked_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `token_id_unique` ON `token` (`id`);--> statement-breakpoint
CREATE INDEX `token_account` ON `token` (`account_id`);--> statement-breakpoint
ALTER TABLE `account` ADD `email` text;--> statement-breakpoint
ALTER TABLE `account` ADD `password` text;--> statement-breakpoint
ALTER TABLE `account` ADD `alert_below_ops` integer;--> statement-breakpoint
ALTER TABLE `account` ADD `alerted_ms` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `account_email_unique` ON `account` (`email`);--> statement-breakpoint
ALTER TABLE `store` ADD `name` text DEFAULT 'store' NOT NULL;--> statement-breakpoint
ALTER TABLE `store` ADD `deleted_ms` integer;