-- Runs in the transaction of each migration. Nothing comes back into a namespace that was deleted,
-- not even while that happens: the deletion takes the same lock.
DO $$
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('seatfast.' || '${flyway:defaultSchema}', 0));
    IF to_regclass('"${flyway:defaultSchema}".tombstone') IS NOT NULL THEN
        RAISE EXCEPTION 'The namespace ${flyway:defaultSchema} was deleted, and stays so';
    END IF;
END
$$;
