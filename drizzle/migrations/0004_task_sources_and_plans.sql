CREATE TABLE `task_sources` (
	`source_id` text NOT NULL,
	`task_id` text NOT NULL,
	PRIMARY KEY(`source_id`, `task_id`),
	FOREIGN KEY (`source_id`) REFERENCES `tasks`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `task_sources_task` ON `task_sources` (`task_id`);--> statement-breakpoint
DROP INDEX `tasks_account_line`;--> statement-breakpoint
ALTER TABLE `tasks` ADD `expected_seconds` real;--> statement-breakpoint
ALTER TABLE `tasks` ADD `plan` text;--> statement-breakpoint
CREATE INDEX `tasks_account_line` ON `tasks` (`account_id`,`status`,`seq`,`expected_seconds`);