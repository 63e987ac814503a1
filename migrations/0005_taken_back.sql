ALTER TABLE `payment` ADD `reference` text;--> statement-breakpoint
ALTER TABLE `payment` ADD `amount` integer;--> statement-breakpoint
ALTER TABLE `payment` ADD `currency` text;--> statement-breakpoint
CREATE INDEX `payment_reference` ON `payment` (`reference`);