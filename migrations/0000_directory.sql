CREATE TABLE `account` (
	`id` text PRIMARY KEY NOT NULL,
	`created_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `report` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`product` text NOT NULL,
	`stage` text NOT NULL,
	`api_version` text NOT NULL,
	`revision` integer NOT NULL,
	`kind` text NOT NULL,
	`text` text NOT NULL,
	`expected` text,
	`actual` text,
	`source` text,
	`received_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `report_account_received` ON `report` (`account_id`,`received_ms`);--> statement-breakpoint
CREATE TABLE `store` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`created_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `store_account` ON `store` (`account_id`);