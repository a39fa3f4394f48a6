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
