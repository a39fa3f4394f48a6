-- The pool key leads every key, so that one pool's rows can live together on one node
-- of a distributed PostgreSQL. Keys come from the application: no sequence is shared.
--
-- Lengths are part of the types, and the constraints of a table are few: PostgreSQL prepares every
-- CHECK anew for every statement, which once took a third of a decision's time in the database.

CREATE TABLE "${flyway:defaultSchema}".seat_pool (
    pool_key           varchar(640) COLLATE "C" NOT NULL,
    capacity           integer     NOT NULL,
    -- Seats of the attempts that are CONFIRMED or HELD: what the guard compares with the capacity.
    reserved           integer     NOT NULL DEFAULT 0,
    -- Of the CONFIRMED attempts alone. Kept here so that a status never counts attempts.
    confirmed_requests bigint      NOT NULL DEFAULT 0,
    confirmed_seats    integer     NOT NULL DEFAULT 0,
    -- No hold of this pool ends before this. Until then no statement looks for expired holds.
    next_expiry        timestamptz,
    -- When a decision last gave the lock back before its commit was flushed, and somebody had waited
    -- for the lock; null again once a decision is flushed under the lock. Until then a crash can
    -- take back what is read of this pool, so that a reader waits for a flush before it answers.
    released_at        timestamptz,
    -- The number of the pool's latest event, if events are recorded.
    events             bigint      NOT NULL DEFAULT 0,
    -- When seats may be taken: from opens_at on, before closes_at, and not while paused. Null: always.
    opens_at           timestamptz,
    closes_at          timestamptz,
    paused             boolean     NOT NULL DEFAULT false,

    CONSTRAINT seat_pool_pk PRIMARY KEY (pool_key),
    CONSTRAINT seat_pool_never_oversold CHECK (
        reserved BETWEEN 0 AND capacity
        AND capacity <= 1000000000
        AND confirmed_seats BETWEEN 0 AND reserved
        AND confirmed_requests BETWEEN 0 AND confirmed_seats)
) WITH (
    fillfactor = 50, -- room for updates that stay on the row's page
    autovacuum_vacuum_scale_factor = 0.02
);

-- One request's durable record. There is no foreign key to seat_pool on purpose: it would
-- lock the pool's row for every rejection of a sold-out pool. The invariant checker looks
-- for attempts without a pool instead.
CREATE TABLE "${flyway:defaultSchema}".reservation_attempt (
    pool_key       varchar(640) COLLATE "C" NOT NULL,
    request_id     varchar(128) COLLATE "C" NOT NULL,
    -- The user whom the hold belongs to, and whose request id this is: equal ids of different users
    -- never meet. Empty for a direct reservation, whose id belongs to the pool.
    owner          varchar(128) COLLATE "C" NOT NULL DEFAULT '',
    -- 0, unless an earlier attempt with this request id was a hold that ended without a
    -- confirmation: then the next number. It keeps ended holds readable under their id.
    generation     integer     NOT NULL DEFAULT 0,
    seats          integer     NOT NULL,
    state          text        NOT NULL,
    -- The pool's reserved seats right after this decision, for replays.
    reserved_after integer     NOT NULL,
    decided_at     timestamptz NOT NULL DEFAULT now(),
    -- Only holds have these. A hold counts while its time has not passed on this database's clock,
    -- or always once it is confirmed: no timer has to run for that.
    reservation_id uuid,
    expires_at     timestamptz,
    -- One of several slots that are held, confirmed, cancelled and expired together, all under the
    -- same reservation id.
    grouped        boolean     NOT NULL DEFAULT false,
    -- When it was confirmed or cancelled, or found to have expired.
    settled_at     timestamptz,

    CONSTRAINT reservation_attempt_pk PRIMARY KEY (pool_key, request_id, owner, generation),
    CONSTRAINT reservation_attempt_seats_range CHECK (seats BETWEEN 1 AND 4),
    CONSTRAINT reservation_attempt_state_complete CHECK (
        CASE WHEN reservation_id IS NULL
             THEN state IN ('CONFIRMED', 'REJECTED') AND owner = '' AND expires_at IS NULL
                  AND generation = 0 AND NOT grouped
             ELSE state IN ('HELD', 'CONFIRMED', 'CANCELLED', 'EXPIRED') AND owner <> ''
                  AND expires_at IS NOT NULL AND (settled_at IS NULL) = (state = 'HELD')
        END)
) WITH (
    -- A settled hold leaves dead entries in the indexes of holds, so these must stay few, whatever
    -- the size of the table.
    autovacuum_vacuum_scale_factor = 0.01,
    autovacuum_vacuum_insert_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.02
);

CREATE UNIQUE INDEX reservation_attempt_reservation_id
    ON "${flyway:defaultSchema}".reservation_attempt (pool_key, reservation_id)
    WHERE reservation_id IS NOT NULL;

-- Finds expired holds: of one pool, for its next decision; of all pools, for the sweep.
CREATE INDEX reservation_attempt_pool_holds
    ON "${flyway:defaultSchema}".reservation_attempt (pool_key, expires_at)
    WHERE state = 'HELD';
CREATE INDEX reservation_attempt_holds
    ON "${flyway:defaultSchema}".reservation_attempt (expires_at, pool_key)
    WHERE state = 'HELD';

-- The pools that a group of held slots is in. The group's id leads the key because it is what the
-- rows of a group share; the holds themselves are attempts of their pools.
CREATE TABLE "${flyway:defaultSchema}".hold_group (
    group_id  uuid   NOT NULL,
    pool_keys text[] NOT NULL, -- in their order

    CONSTRAINT hold_group_pk PRIMARY KEY (group_id),
    CONSTRAINT hold_group_size CHECK (cardinality(pool_keys) BETWEEN 1 AND 32)
);

-- What happened, for other systems to follow; written in the transaction in which it happened.
-- A pool's events are numbered under the pool's lock. The position among all pools' events is
-- given later, when a client reads them: then all that is visible is committed, and what commits
-- late gets a later position, so that a reader who continues after a position misses nothing.
CREATE TABLE "${flyway:defaultSchema}".pool_event (
    pool_key       varchar(640) COLLATE "C" NOT NULL,
    number         bigint      NOT NULL,
    kind           text        NOT NULL,
    -- Empty for a change of the pool's capacity, whose seats are the new capacity.
    request_id     varchar(128) COLLATE "C" NOT NULL,
    reservation_id uuid,
    seats          integer     NOT NULL,
    expires_at     timestamptz,
    occurred_at    timestamptz NOT NULL,
    position       bigint,

    CONSTRAINT pool_event_pk PRIMARY KEY (pool_key, number),
    CONSTRAINT pool_event_kind_known CHECK (
        kind IN ('ACCEPTED', 'REJECTED', 'HELD', 'CONFIRMED', 'CANCELLED', 'EXPIRED', 'EXTENDED',
                 'CAPACITY_CHANGED'))
) WITH (
    autovacuum_vacuum_scale_factor = 0.01, -- every event is updated once, with its position
    autovacuum_vacuum_insert_scale_factor = 0.05
);

CREATE INDEX pool_event_without_position
    ON "${flyway:defaultSchema}".pool_event (pool_key, number) WHERE position IS NULL;
CREATE INDEX pool_event_position
    ON "${flyway:defaultSchema}".pool_event (position) WHERE position IS NOT NULL;

-- One row: the last position that was given. Giving the next ones locks it.
CREATE TABLE "${flyway:defaultSchema}".event_position (
    stream text   NOT NULL,
    last   bigint NOT NULL,

    CONSTRAINT event_position_pk PRIMARY KEY (stream),
    CONSTRAINT event_position_one_stream CHECK (stream = 'pools' AND last >= 0)
);
INSERT INTO "${flyway:defaultSchema}".event_position (stream, last) VALUES ('pools', 0);

-- How many attempts of a pool were rejected, spread over stripes: a sold-out pool is where
-- most requests arrive, and its rejections must queue neither for the pool's row nor for
-- one counter. The sum over the stripes is exact.
CREATE TABLE "${flyway:defaultSchema}".rejection_tally (
    pool_key varchar(640) COLLATE "C" NOT NULL,
    stripe   smallint NOT NULL,
    rejected bigint   NOT NULL,

    CONSTRAINT rejection_tally_pk PRIMARY KEY (pool_key, stripe),
    CONSTRAINT rejection_tally_range CHECK (stripe BETWEEN 0 AND 15 AND rejected > 0)
) WITH (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);

-- Credentials of programs. A token's text is shown once, when it is made; only its hash is kept. It
-- has 190 random bits, so a plain SHA-256 cannot be turned back by trying, and costs a request little.
CREATE TABLE "${flyway:defaultSchema}".api_token (
    token_id   varchar(16)  COLLATE "C" NOT NULL, -- the part of the text that is no secret
    hash       bytea        NOT NULL,
    -- Whose workshops and slots it opens. Null: the workshops that belong to no tenant.
    tenant     varchar(128) COLLATE "C",
    -- The only user whom it acts for. Null: every user, as a shop's own server does.
    user_id    varchar(128) COLLATE "C",
    scopes     text[]       NOT NULL,
    note       varchar(200) NOT NULL,
    created_at timestamptz  NOT NULL DEFAULT now(),
    expires_at timestamptz,
    revoked_at timestamptz,

    CONSTRAINT api_token_pk PRIMARY KEY (token_id),
    CONSTRAINT api_token_complete CHECK (
        octet_length(hash) = 32 AND cardinality(scopes) BETWEEN 1 AND 16 AND tenant <> ''
        AND user_id <> '')
);

-- Who changed what as an operator, written in the transaction of the change. Nothing updates it.
CREATE TABLE "${flyway:defaultSchema}".audit_entry (
    occurred_at timestamptz  NOT NULL,
    entry_id    uuid         NOT NULL,
    -- A token's id or a user, never a token.
    actor       varchar(160) NOT NULL,
    action      varchar(40)  NOT NULL,
    -- What was changed: a pool's key, a token's id.
    target      varchar(640) NOT NULL,
    before      text,
    after       text,

    CONSTRAINT audit_entry_pk PRIMARY KEY (occurred_at, entry_id)
);
