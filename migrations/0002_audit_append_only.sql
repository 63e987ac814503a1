-- The audit log is only ever added to, whoever writes to the directory.
CREATE TRIGGER `audit_is_not_changed` BEFORE UPDATE ON `audit` BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_is_not_removed` BEFORE DELETE ON `audit` BEGIN SELECT RAISE(ABORT, 'the audit log is only added to'); END;
