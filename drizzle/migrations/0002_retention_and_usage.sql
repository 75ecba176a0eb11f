CREATE TABLE `sweep_positions` (
	`prefix` text PRIMARY KEY NOT NULL,
	`after_key` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `usage_days` (
	`account_id` text NOT NULL,
	`day` text NOT NULL,
	`operation` text NOT NULL,
	`completed` integer NOT NULL,
	`failed` integer NOT NULL,
	`source_seconds` real NOT NULL,
	`output_seconds` real NOT NULL,
	`processing_seconds` real NOT NULL,
	`bytes_read` integer NOT NULL,
	`bytes_stored` integer NOT NULL,
	PRIMARY KEY(`account_id`, `day`, `operation`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `tasks` ADD `files_removed_at` integer;--> statement-breakpoint
CREATE INDEX `tasks_expired` ON `tasks` (`files_removed_at`,`expires_at`);--> statement-breakpoint
CREATE INDEX `tasks_ended` ON `tasks` (`completed_at`);