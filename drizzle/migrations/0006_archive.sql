CREATE TABLE `archive_chunks` (
	`key` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`state` text NOT NULL,
	`first_id` text NOT NULL,
	`last_id` text NOT NULL,
	`oldest_at` integer NOT NULL,
	`newest_at` integer NOT NULL,
	`ended_at` integer NOT NULL,
	`remove_at` integer NOT NULL,
	`task_count` integer NOT NULL,
	`contents` text NOT NULL,
	`begun_at` integer NOT NULL,
	`replaced_by` text,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `archive_chunks_list` ON `archive_chunks` (`account_id`,`newest_at`,`key`);--> statement-breakpoint
CREATE INDEX `archive_chunks_find` ON `archive_chunks` (`account_id`,`last_id`);--> statement-breakpoint
CREATE INDEX `archive_chunks_unfinished` ON `archive_chunks` (`state`,`begun_at`) WHERE "archive_chunks"."state" <> 'kept';--> statement-breakpoint
CREATE INDEX `archive_chunks_remove` ON `archive_chunks` (`remove_at`);--> statement-breakpoint
DROP INDEX `tasks_ended`;--> statement-breakpoint
CREATE INDEX `tasks_archivable` ON `tasks` (case when "expires_at" > "completed_at" + 604800000 then "expires_at" else "completed_at" + 604800000 end) WHERE "tasks"."completed_at" is not null and ("tasks"."expires_at" is null or "tasks"."files_removed_at" is not null);