CREATE TABLE `trials` (
	`address` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `trials_created` ON `trials` (`created_at`);--> statement-breakpoint
ALTER TABLE `tasks` ADD `stage_times` text;--> statement-breakpoint
ALTER TABLE `billing` ADD `next_plan` text;