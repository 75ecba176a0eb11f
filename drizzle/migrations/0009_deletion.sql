CREATE TABLE `limit_notices` (
	`account_id` text NOT NULL,
	`limit_name` text NOT NULL,
	`month` text NOT NULL,
	`percent` integer NOT NULL,
	`noted_at` integer NOT NULL,
	`mailed_at` integer,
	PRIMARY KEY(`account_id`, `limit_name`, `month`, `percent`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `limit_notices_open` ON `limit_notices` (`noted_at`) WHERE "limit_notices"."mailed_at" is null;--> statement-breakpoint
CREATE INDEX `limit_notices_noted` ON `limit_notices` (`noted_at`);--> statement-breakpoint
CREATE TABLE `account_deletions` (
	`account_id` text PRIMARY KEY NOT NULL,
	`begun_at` integer NOT NULL,
	`tried_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `account_deletions_tried` ON `account_deletions` (`tried_at`);