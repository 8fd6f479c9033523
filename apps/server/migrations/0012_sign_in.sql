-- Ways to sign in besides the password, what they leave behind, and messages to people.

-- Who registered himself waits for approval; until then his account is disabled.
alter table users
  add column pending boolean not null default false,
  add constraint users_pending check (not (pending and enabled));
create index users_waiting on users (id) where pending;

-- A locked session may have a password of its own (argon2), beside that of the account.
alter table session add column lock_hash text;

alter table login_log add column method varchar(20)
  check (method in ('PASSWORD', 'SMS', 'QR', 'SOCIAL', 'ACTIVATION'));

-- One live code per contact and purpose; contact and code only as keyed hashes.
create table verification_code (
  key_hash bytea primary key,
  code_hash bytea not null,
  tries integer not null default 0,
  expires_at timestamptz not null
);

-- Authenticators: the secret is sealed, each step of its clock counts once.
create table second_factor (
  user_id bigint primary key references users (id) on delete cascade,
  secret bytea not null,
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz
);
create table recovery_code (
  user_id bigint not null references second_factor (user_id) on delete cascade,
  hash bytea not null,
  used_at timestamptz,
  primary key (user_id, hash)
);

-- A browser without a session shows the ticket; only it knows the verifier.
create table qr_ticket (
  ticket_hash bytea primary key,
  verifier_hash bytea not null,
  state varchar(10) not null default 'WAITING' check (state in ('WAITING', 'SCANNED', 'CONFIRMED', 'USED')),
  user_id bigint references users (id) on delete cascade,
  ip varchar(45) not null,
  user_agent varchar(300) not null,
  expires_at timestamptz not null,
  check ((state = 'WAITING') = (user_id is null))
);
create index qr_ticket_expires on qr_ticket (expires_at);
create index qr_ticket_user on qr_ticket (user_id);

-- OpenID Connect: what a provider's answer is checked against, and whose account it is.
create table social_state (
  state_hash bytea primary key,
  provider varchar(20) not null,
  browser_hash bytea not null,
  -- Of whoever binds an account; null for signing in.
  user_id bigint references users (id) on delete cascade,
  sealed bytea not null,
  expires_at timestamptz not null
);
create index social_state_user on social_state (user_id);
create table social_account (
  user_id bigint not null references users (id) on delete cascade,
  provider varchar(20) not null,
  subject varchar(255) not null,
  account varchar(100),
  bound_at timestamptz not null default now(),
  primary key (user_id, provider),
  constraint social_account_subject_key unique (provider, subject)
);

-- Messages to people: written with what they tell of, sent after the commit by whichever node claims them.
create table outbound (
  id bigint generated always as identity primary key,
  channel varchar(10) not null check (channel in ('SMS', 'EMAIL')),
  -- Sealed; gone when the message has left or was given up.
  payload bytea,
  state varchar(10) not null default 'PENDING' check (state in ('PENDING', 'SENT', 'FAILED', 'DROPPED')),
  attempts integer not null default 0,
  due_at timestamptz not null default now(),
  lease_until timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  last_error varchar(300),
  check ((state = 'PENDING') = (ended_at is null)),
  check ((state = 'PENDING') = (payload is not null))
);
create index outbound_due on outbound (due_at) where state = 'PENDING';

-- A list of providers is longer than other settings.
alter table config alter column value type varchar(2000);
