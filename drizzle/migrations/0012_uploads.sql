CREATE TABLE `upload_sources` (
	`upload_id` text NOT NULL,
	`task_id` text NOT NULL,
	PRIMARY KEY(`upload_id`, `task_id`),
	FOREIGN KEY (`upload_id`) REFERENCES `uploads`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`task_id`) REFERENCES `tasks`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `upload_sources_task` ON `upload_sources` (`task_id`);--> statement-breakpoint
CREATE TABLE `uploads` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`status` text NOT NULL,
	`file_name` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`media_type` text,
	`sha256` text,
	`multipart_id` text,
	`error` text,
	`created_at` integer NOT NULL,
	`completed_at` integer,
	`expires_at` integer NOT NULL,
	`file_removed_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `uploads_account` ON `uploads` (`account_id`,`id`);--> statement-breakpoint
CREATE INDEX `uploads_stored` ON `uploads` (`account_id`,`status`,`size_bytes`) WHERE "uploads"."file_removed_at" is null;--> statement-breakpoint
CREATE INDEX `uploads_expired` ON `uploads` (`file_removed_at`,`expires_at`);