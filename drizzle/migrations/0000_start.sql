CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`plan` text NOT NULL,
	`subscription` text NOT NULL,
	`rate_remaining` integer,
	`rate_reset_at` integer,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `dead_letters` (
	`queue` text NOT NULL,
	`message_id` text NOT NULL,
	`body` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`queue`, `message_id`)
);
--> statement-breakpoint
CREATE TABLE `keys` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`label` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`revoked_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `keys_hash_unique` ON `keys` (`hash`);--> statement-breakpoint
CREATE INDEX `keys_account` ON `keys` (`account_id`);--> statement-breakpoint
CREATE TABLE `tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`seq` integer NOT NULL,
	`request_id` text NOT NULL,
	`operation` text NOT NULL,
	`status` text NOT NULL,
	`stage` text NOT NULL,
	`progress_percent` real NOT NULL,
	`eta_seconds` real,
	`attempt` integer NOT NULL,
	`input` text NOT NULL,
	`metadata` text NOT NULL,
	`result` text,
	`error` text,
	`created_at` integer NOT NULL,
	`started_at` integer,
	`completed_at` integer,
	`expires_at` integer,
	`lease_expires_at` integer,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `tasks_account_created` ON `tasks` (`account_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `tasks_account_line` ON `tasks` (`account_id`,`status`,`seq`);--> statement-breakpoint
CREATE INDEX `tasks_status_lease` ON `tasks` (`status`,`lease_expires_at`);