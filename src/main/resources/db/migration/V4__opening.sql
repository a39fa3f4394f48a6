-- Sets when seats of a pool may be taken, and makes the pool if it does not exist. Decisions and
-- holds that were made stay as they are. Under the pool's lock, so that once it is committed no
-- transaction goes on by the times of before. Returns those.
CREATE FUNCTION "${flyway:defaultSchema}".set_opening(
    p_pool_key text,
    p_default_capacity integer,
    p_opens_at timestamptz,
    p_closes_at timestamptz,
    p_paused boolean,
    p_events boolean,
    OUT o_opens_at timestamptz,
    OUT o_closes_at timestamptz,
    OUT o_paused boolean
) RETURNS record
LANGUAGE plpgsql
VOLATILE
SET lock_timeout = '2s'
SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off
AS $$
BEGIN
    -- Here instead of in a CHECK, which every decision would pay for.
    IF p_opens_at >= p_closes_at THEN
        RAISE EXCEPTION 'A pool must open before it closes' USING ERRCODE = 'check_violation';
    END IF;
    PERFORM "${flyway:defaultSchema}".lock_pool(p_pool_key, p_default_capacity, true, p_events);
    SELECT p.opens_at, p.closes_at, p.paused INTO o_opens_at, o_closes_at, o_paused
      FROM "${flyway:defaultSchema}".seat_pool p WHERE p.pool_key = p_pool_key;
    UPDATE "${flyway:defaultSchema}".seat_pool p
       SET opens_at = p_opens_at, closes_at = p_closes_at, paused = p_paused
     WHERE p.pool_key = p_pool_key;
END
$$;
