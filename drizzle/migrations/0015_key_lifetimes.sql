ALTER TABLE `keys` ADD `lifetime` integer;
--> statement-breakpoint
UPDATE `keys` SET `lifetime` = `expires_at` - `created_at` WHERE `expires_at` - `created_at` IN (2592000000, 7776000000, 31536000000);
