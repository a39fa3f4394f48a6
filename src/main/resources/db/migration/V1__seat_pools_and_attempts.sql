-- The pool key leads every key, so that one pool's rows can live together on one node
-- of a distributed PostgreSQL. Keys come from the application: no sequence is shared.

CREATE TABLE ${flyway:defaultSchema}.seat_pool (
    pool_key           text COLLATE "C" NOT NULL,
    capacity           integer          NOT NULL,
    -- Seats of the attempts that are CONFIRMED or HELD: what the guard compares with the capacity.
    reserved           integer          NOT NULL DEFAULT 0,
    -- Of the CONFIRMED attempts alone. Kept here so that a status never counts attempts.
    confirmed_requests bigint           NOT NULL DEFAULT 0,
    confirmed_seats    integer          NOT NULL DEFAULT 0,

    CONSTRAINT seat_pool_pk PRIMARY KEY (pool_key),
    CONSTRAINT seat_pool_key_length CHECK (char_length(pool_key) BETWEEN 3 AND 640),
    CONSTRAINT seat_pool_capacity_range CHECK (capacity BETWEEN 0 AND 1000000000),
    CONSTRAINT seat_pool_never_oversold CHECK (reserved BETWEEN 0 AND capacity),
    CONSTRAINT seat_pool_confirmed_range CHECK (
        confirmed_seats BETWEEN 0 AND reserved
        AND confirmed_requests BETWEEN 0 AND confirmed_seats)
) WITH (fillfactor = 50); -- room for updates that stay on the row's page

-- One request's durable record. There is no foreign key to seat_pool on purpose: it would
-- lock the pool's row for every rejection of a sold-out pool. The invariant checker looks
-- for attempts without a pool instead.
CREATE TABLE ${flyway:defaultSchema}.reservation_attempt (
    pool_key       text COLLATE "C" NOT NULL,
    request_id     text COLLATE "C" NOT NULL,
    -- 0, unless an earlier attempt with this request id was a hold that ended without a
    -- confirmation: then the next number. It keeps ended holds readable under their id.
    generation     integer          NOT NULL DEFAULT 0,
    seats          integer          NOT NULL,
    state          text             NOT NULL,
    -- Only holds have these three.
    reservation_id uuid,
    owner          text,
    expires_at     timestamptz,
    decided_at     timestamptz      NOT NULL DEFAULT now(),

    CONSTRAINT reservation_attempt_pk PRIMARY KEY (pool_key, request_id, generation),
    CONSTRAINT reservation_attempt_key_length CHECK (char_length(pool_key) BETWEEN 3 AND 640),
    CONSTRAINT reservation_attempt_request_id_length CHECK (char_length(request_id) BETWEEN 1 AND 128),
    CONSTRAINT reservation_attempt_generation_range CHECK (
        generation >= 0 AND (generation = 0 OR reservation_id IS NOT NULL)),
    CONSTRAINT reservation_attempt_seats_range CHECK (seats BETWEEN 1 AND 4),
    CONSTRAINT reservation_attempt_state_known CHECK (
        state IN ('REJECTED', 'HELD', 'CONFIRMED', 'CANCELLED', 'EXPIRED')),
    CONSTRAINT reservation_attempt_owner_length CHECK (char_length(owner) BETWEEN 1 AND 128),
    CONSTRAINT reservation_attempt_hold_complete CHECK (
        (reservation_id IS NULL) = (owner IS NULL)
        AND (reservation_id IS NULL) = (expires_at IS NULL)
        AND (state NOT IN ('HELD', 'EXPIRED') OR reservation_id IS NOT NULL))
);

CREATE UNIQUE INDEX reservation_attempt_reservation_id
    ON ${flyway:defaultSchema}.reservation_attempt (pool_key, reservation_id)
    WHERE reservation_id IS NOT NULL;

-- How many attempts of a pool were rejected, spread over stripes: a sold-out pool is where
-- most requests arrive, and its rejections must queue neither for the pool's row nor for
-- one counter. The sum over the stripes is exact.
CREATE TABLE ${flyway:defaultSchema}.rejection_tally (
    pool_key text COLLATE "C" NOT NULL,
    stripe   smallint         NOT NULL,
    rejected bigint           NOT NULL,

    CONSTRAINT rejection_tally_pk PRIMARY KEY (pool_key, stripe),
    CONSTRAINT rejection_tally_stripe_range CHECK (stripe BETWEEN 0 AND 15),
    CONSTRAINT rejection_tally_positive CHECK (rejected > 0)
) WITH (fillfactor = 50);
