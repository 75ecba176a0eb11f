DROP INDEX `tasks_account_created`;--> statement-breakpoint
CREATE INDEX `tasks_account_status` ON `tasks` (`account_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_account_operation` ON `tasks` (`account_id`,`operation`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_account_created` ON `tasks` (`account_id`,`created_at`,`id`);