DROP INDEX `tasks_status_lease`;--> statement-breakpoint
CREATE INDEX `tasks_account_operation_status` ON `tasks` (`account_id`,`operation`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `tasks_status_lease` ON `tasks` (`status`,`lease_expires_at`,`id`);--> statement-breakpoint
CREATE INDEX `webhook_deliveries_account_status` ON `webhook_deliveries` (`account_id`,`status`,`id`);