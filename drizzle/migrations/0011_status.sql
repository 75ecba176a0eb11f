CREATE TABLE `incidents` (
	`id` text PRIMARY KEY NOT NULL,
	`title` text NOT NULL,
	`part` text,
	`opened_at` integer NOT NULL,
	`closed_at` integer,
	`updates` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `incidents_opened` ON `incidents` (`opened_at`);--> statement-breakpoint
CREATE TABLE `status_days` (
	`day` text NOT NULL,
	`part` text NOT NULL,
	`probes` integer NOT NULL,
	`failed` integer NOT NULL,
	`last_at` integer NOT NULL,
	`last_ok` integer NOT NULL,
	`overhead_p50_ms` integer,
	`overhead_p95_ms` integer,
	PRIMARY KEY(`day`, `part`)
);
--> statement-breakpoint
CREATE TABLE `status_probes` (
	`at` integer NOT NULL,
	`part` text NOT NULL,
	`ok` integer NOT NULL,
	`overhead_ms` integer,
	PRIMARY KEY(`at`, `part`)
);
