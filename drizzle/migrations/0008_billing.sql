CREATE TABLE `billing` (
	`account_id` text PRIMARY KEY NOT NULL,
	`customer_id` text NOT NULL,
	`asked` integer NOT NULL,
	`asked_at` integer NOT NULL,
	`seen` integer NOT NULL,
	`seen_at` integer NOT NULL,
	`subscription_id` text,
	`status` text,
	`plan` text,
	`period_ends_at` integer,
	`ends_at` integer,
	`notified_of` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `billing_customer_id_unique` ON `billing` (`customer_id`);--> statement-breakpoint
CREATE INDEX `billing_seen` ON `billing` (`seen_at`);--> statement-breakpoint
ALTER TABLE `accounts` ADD `pay_by` integer;