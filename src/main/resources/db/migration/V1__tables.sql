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
    -- The number of the pool's latest event, if events are recorded.
    events             bigint           NOT NULL DEFAULT 0,

    CONSTRAINT seat_pool_pk PRIMARY KEY (pool_key),
    CONSTRAINT seat_pool_key_length CHECK (char_length(pool_key) BETWEEN 3 AND 640),
    CONSTRAINT seat_pool_capacity_range CHECK (capacity BETWEEN 0 AND 1000000000),
    CONSTRAINT seat_pool_never_oversold CHECK (reserved BETWEEN 0 AND capacity),
    CONSTRAINT seat_pool_confirmed_range CHECK (
        confirmed_seats BETWEEN 0 AND reserved
        AND confirmed_requests BETWEEN 0 AND confirmed_seats),
    CONSTRAINT seat_pool_events_range CHECK (events >= 0)
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
    decided_at     timestamptz      NOT NULL DEFAULT now(),
    -- Only holds have these. A hold counts while its time has not passed on this database's clock,
    -- or for ever once it is confirmed; no timer is needed for that to be so.
    reservation_id uuid,
    owner          text,
    expires_at     timestamptz,
    -- One of several slots that are held, confirmed, cancelled and expired together, all under the
    -- same reservation id.
    grouped        boolean          NOT NULL DEFAULT false,
    -- When it was confirmed or cancelled, or found to have expired.
    settled_at     timestamptz,

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
        AND (state NOT IN ('HELD', 'CANCELLED', 'EXPIRED') OR reservation_id IS NOT NULL)
        AND (reservation_id IS NOT NULL OR NOT grouped)),
    CONSTRAINT reservation_attempt_settled CHECK (
        settled_at IS NULL OR state IN ('CONFIRMED', 'CANCELLED', 'EXPIRED'))
);

CREATE UNIQUE INDEX reservation_attempt_reservation_id
    ON ${flyway:defaultSchema}.reservation_attempt (pool_key, reservation_id)
    WHERE reservation_id IS NOT NULL;

-- Whose time has passed: one pool's, for its next decision, and everybody's, for the sweep.
CREATE INDEX reservation_attempt_pool_holds
    ON ${flyway:defaultSchema}.reservation_attempt (pool_key, expires_at)
    WHERE state = 'HELD';
CREATE INDEX reservation_attempt_holds
    ON ${flyway:defaultSchema}.reservation_attempt (expires_at)
    WHERE state = 'HELD';

-- Which pools a group of held slots is in. Its id leads the key because it is what the rows of a
-- group share; the holds themselves are attempts of their pools.
CREATE TABLE ${flyway:defaultSchema}.hold_group (
    group_id  uuid   NOT NULL,
    pool_keys text[] NOT NULL,

    CONSTRAINT hold_group_pk PRIMARY KEY (group_id),
    CONSTRAINT hold_group_size CHECK (cardinality(pool_keys) BETWEEN 1 AND 32)
);

-- What happened, for other systems to follow; written in the transaction in which it happened.
-- A pool's events are numbered under the pool's lock. The position among all pools' events is
-- given later, when somebody reads them: then all that is visible is committed, and what commits
-- late gets a later position, so that a reader who continues after a position misses nothing.
CREATE TABLE ${flyway:defaultSchema}.pool_event (
    pool_key       text COLLATE "C" NOT NULL,
    number         bigint           NOT NULL,
    kind           text             NOT NULL,
    request_id     text COLLATE "C" NOT NULL,
    reservation_id uuid,
    seats          integer          NOT NULL,
    expires_at     timestamptz,
    occurred_at    timestamptz      NOT NULL,
    position       bigint,

    CONSTRAINT pool_event_pk PRIMARY KEY (pool_key, number),
    CONSTRAINT pool_event_number_range CHECK (number > 0),
    CONSTRAINT pool_event_kind_known CHECK (
        kind IN ('ACCEPTED', 'REJECTED', 'HELD', 'CONFIRMED', 'CANCELLED', 'EXPIRED', 'EXTENDED')),
    CONSTRAINT pool_event_seats_range CHECK (seats BETWEEN 1 AND 4)
);

CREATE INDEX pool_event_without_position
    ON ${flyway:defaultSchema}.pool_event (pool_key, number) WHERE position IS NULL;
CREATE INDEX pool_event_position
    ON ${flyway:defaultSchema}.pool_event (position) WHERE position IS NOT NULL;

-- One row: the last position that was given. Locked by who gives the next ones.
CREATE TABLE ${flyway:defaultSchema}.event_position (
    stream text   NOT NULL,
    last   bigint NOT NULL,

    CONSTRAINT event_position_pk PRIMARY KEY (stream),
    CONSTRAINT event_position_one_stream CHECK (stream = 'pools'),
    CONSTRAINT event_position_range CHECK (last >= 0)
);
INSERT INTO ${flyway:defaultSchema}.event_position (stream, last) VALUES ('pools', 0);

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
