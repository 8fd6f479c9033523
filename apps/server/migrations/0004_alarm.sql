-- Rules, the immutable signal, the record an operator works, and its chained log.

create table warn_rule (
  id bigint generated always as identity primary key,
  name varchar(64) not null constraint warn_rule_name_key unique,
  enabled boolean not null default true,
  shadow boolean not null default false,
  priority integer not null default 100 check (priority between 0 and 1000),
  match_codes text[] not null check (cardinality(match_codes) > 0),
  condition varchar(10) not null default 'INSTANT' check (condition in ('INSTANT', 'REPEAT', 'DURATION', 'NO_DATA')),
  repeat_count integer check (repeat_count between 2 and 100),
  within_sec integer check (within_sec between 1 and 86400),
  min_confidence double precision check (min_confidence between 0 and 1),
  min_db double precision check (min_db between 0 and 200),
  class varchar(20) not null check (class in
    ('PANIC', 'VOICE', 'BULLY', 'INTRUSION', 'MEDICAL', 'FIRE', 'DEVICE_HEALTH', 'SECURITY_DUTY')),
  level integer not null check (level between 1 and 4),
  dedup_by varchar(10) not null default 'DEVICE' check (dedup_by in ('DEVICE', 'ZONE', 'SCHOOL')),
  reopen_window_sec integer not null default 60 check (reopen_window_sec between 0 and 3600),
  recover_codes text[] not null default '{}',
  auto_recover boolean not null default false,
  t1_sec integer check (t1_sec between 1 and 86400),
  t2_sec integer check (t2_sec between 1 and 86400),
  t3_sec integer check (t3_sec between 1 and 86400),
  t4_sec integer check (t4_sec between 1 and 86400),
  t5_sec integer check (t5_sec between 1 and 604800),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  check (condition <> 'REPEAT' or (repeat_count is not null and within_sec is not null)),
  check (condition not in ('DURATION', 'NO_DATA') or within_sec is not null),
  -- No automatic end for what a person raised (invariant 3, GB 50394 5.2.4).
  check (not auto_recover or class in ('DEVICE_HEALTH', 'SECURITY_DUTY'))
);

create table warn_record (
  id bigint generated always as identity primary key,
  no varchar(20) not null constraint warn_record_no_key unique,
  rule_id bigint references warn_rule (id),
  rule_version integer,
  class varchar(20) not null check (class in
    ('PANIC', 'VOICE', 'BULLY', 'INTRUSION', 'MEDICAL', 'FIRE', 'DEVICE_HEALTH', 'SECURITY_DUTY')),
  code varchar(30) not null,
  level integer not null check (level between 1 and 4),
  validation integer check (validation between 0 and 4),
  mode varchar(10) not null check (mode in ('LIVE', 'TEST', 'DRILL')),
  state varchar(10) not null default 'NEW'
    check (state in ('NEW', 'CLAIMED', 'HANDLING', 'ESCALATED', 'RESOLVED', 'CLOSED')),
  open boolean not null generated always as (state in ('NEW', 'CLAIMED', 'HANDLING', 'ESCALATED')) stored,
  dedup_key varchar(120) not null,
  epoch integer not null default 1,
  condition varchar(10) not null default 'ACTIVE' check (condition in ('ACTIVE', 'RECOVERED')),
  device_id bigint references device (id),
  school_device_id bigint references school_device (id),
  school_id bigint references school (id),
  dept_id bigint not null references dept (id),
  place_id bigint,
  school_name varchar(64),
  building varchar(64),
  floor varchar(64),
  room varchar(64),
  place_path varchar(300),
  lng double precision,
  lat double precision,
  silent boolean not null default false,
  late boolean not null default false,
  duress boolean not null default false,
  presser_cancelled boolean not null default false,
  occurrence_count integer not null default 1,
  press_count integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null,
  owner_id bigint references users (id),
  lease_session_id bigint,
  lease_until timestamptz,
  last_owner_id bigint references users (id),
  false_by bigint references users (id),
  reset_at timestamptz,
  resolver_id bigint references users (id),
  disposition varchar(20) check (disposition in ('REAL_HANDLED', 'REAL_POLICE', 'FALSE_ACCIDENTAL', 'FALSE_DEVICE',
    'FALSE_KEYWORD', 'FALSE_MALICIOUS', 'TEST', 'DRILL', 'DUPLICATE', 'AUTO_RECOVERED', 'NO_PERSON_FOUND')),
  cause_code varchar(30),
  note varchar(1000),
  merged_into_id bigint references warn_record (id),
  linked_record_id bigint references warn_record (id),
  shelved_until timestamptz,
  received_at timestamptz not null default now(),
  displayed_at timestamptz,
  sounded_at timestamptz,
  claimed_at timestamptz,
  verified_at timestamptz,
  dispatched_at timestamptz,
  on_site_at timestamptz,
  escalated_at timestamptz,
  resolved_at timestamptz,
  closed_at timestamptz,
  log_count integer not null default 0,
  log_hash bytea not null default '\x',
  version integer not null default 1,
  check (state <> 'CLAIMED' or owner_id is not null),
  check (merged_into_id is null or merged_into_id <> id),
  check (shelved_until is null or class <> 'PANIC'),
  check (disposition is distinct from 'AUTO_RECOVERED' or class in ('DEVICE_HEALTH', 'SECURITY_DUTY'))
) with (fillfactor = 80);
create unique index warn_record_open_key on warn_record (dedup_key, mode) where open;
create index warn_record_dedup on warn_record (dedup_key, mode, resolved_at desc) where not open;
create index warn_record_open_school on warn_record (school_id) where open;
create index warn_record_first_at on warn_record (first_at desc, id desc);
create index warn_record_school_first_at on warn_record (school_id, first_at desc, id desc);
create index warn_record_merged on warn_record (merged_into_id) where merged_into_id is not null;
-- Day counters for record numbers; never reused, never limited.
create sequence warn_record_no_seq;

create table signal (
  id bigint generated always as identity primary key,
  device_id bigint not null references device (id),
  event_id varchar(40) not null,
  kind varchar(10) not null check (kind in ('ALARM', 'EVENT', 'UNPARSABLE', 'DERIVED')),
  code varchar(30) not null,
  mode varchar(10) not null check (mode in ('LIVE', 'TEST', 'DRILL')),
  boot bigint,
  seq bigint,
  occurred_at timestamptz not null,
  received_at timestamptz not null default now(),
  skew_ms bigint,
  late boolean not null default false,
  zone varchar(32),
  press_count integer,
  body jsonb,
  raw bytea,
  via varchar(10) not null check (via in ('MQTT', 'HTTP', 'SERVER')),
  school_id bigint,
  dept_id bigint not null,
  record_id bigint references warn_record (id),
  suppressed varchar(30) check (suppressed in
    ('NO_RULE', 'SHADOW', 'BELOW_REPEAT', 'WAITING', 'RECOVERY', 'INFORMATION')),
  constraint signal_event_key unique (device_id, event_id),
  -- Invariant 1: every accepted signal has exactly one record or one stated reason.
  check ((record_id is null) <> (suppressed is null))
);
create index signal_record on signal (record_id, id);
create index signal_device_code on signal (device_id, code, received_at desc);
-- What a device sent after a signal that arrives late (its own order, not the order of arrival).
create index signal_device_order on signal (device_id, boot, seq);
create index signal_suppressed on signal (received_at) where suppressed is not null;

create table warn_log (
  id bigint generated always as identity primary key,
  record_id bigint not null references warn_record (id),
  no integer not null,
  at timestamptz not null,
  kind varchar(12) not null check (kind in
    ('SIGNAL', 'TRANSITION', 'NOTE', 'DELIVERY', 'COMMAND', 'VIEW', 'MEDIA', 'AUDIT')),
  verb varchar(30) not null,
  actor_id bigint,
  actor_name varchar(64) not null,
  from_state varchar(10) check (from_state in ('NEW', 'CLAIMED', 'HANDLING', 'ESCALATED', 'RESOLVED', 'CLOSED')),
  to_state varchar(10) check (to_state in ('NEW', 'CLAIMED', 'HANDLING', 'ESCALATED', 'RESOLVED', 'CLOSED')),
  payload jsonb not null default '{}',
  school_id bigint,
  dept_id bigint not null,
  prev_hash bytea not null,
  hash bytea not null,
  constraint warn_log_no_key unique (record_id, no)
);
create index warn_log_at on warn_log (at desc, id desc);

-- Which desk showed and sounded a record, and when (milestones of the record are the first of these).
create table warn_sighting (
  record_id bigint not null references warn_record (id),
  session_id bigint not null,
  user_id bigint not null,
  displayed_at timestamptz,
  sounded_at timestamptz,
  primary key (record_id, session_id)
);
