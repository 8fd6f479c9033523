-- Devices as assets, their installation at a place, what the network knows of them, and messages to them.

create table device_model (
  id bigint generated always as identity primary key,
  product_key varchar(20) not null constraint device_model_product_key_key unique
    check (product_key ~ '^[0-9A-Za-z]{6,20}$'),
  vendor varchar(64) not null,
  name varchar(64) not null,
  kind varchar(20) not null check (kind in ('PANIC_BUTTON', 'PANIC_PILLAR', 'WEARABLE', 'VOICE_TERMINAL', 'INTERCOM',
    'GATEWAY', 'SIREN', 'CAMERA', 'SENSOR')),
  power varchar(10) not null check (power in ('MAINS', 'POE', 'BATTERY')),
  alarm_codes text[] not null default '{}',
  heartbeat_sec integer not null default 30 check (heartbeat_sec between 5 and 86400),
  offline_after_sec integer not null default 90 check (offline_after_sec between 10 and 604800),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint device_model_name_key unique (vendor, name),
  check (offline_after_sec > heartbeat_sec)
);

create table device (
  id bigint generated always as identity primary key,
  sn varchar(40) not null constraint device_sn_key unique check (sn ~ '^[0-9A-Za-z_-]{4,40}$'),
  model_id bigint not null references device_model (id),
  dept_id bigint not null references dept (id),
  school_id bigint references school (id),
  imei varchar(20),
  iccid varchar(24),
  mac varchar(17),
  gb_code varchar(20),
  lifecycle varchar(20) not null default 'IN_STOCK' check (lifecycle in ('IN_STOCK', 'ALLOCATED', 'INSTALLING',
    'COMMISSIONING', 'IN_SERVICE', 'UNDER_REPAIR', 'SUSPENDED', 'LOST', 'RETIRED')),
  batch_no varchar(32),
  warranty_until date,
  sim_expiry date,
  readiness integer check (readiness between 0 and 100),
  remark varchar(500),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint
);
create index device_school on device (school_id);
create index device_model_id on device (model_id);

create table device_credential (
  id bigint generated always as identity primary key,
  device_id bigint not null references device (id) on delete cascade,
  secret_hash bytea not null check (length(secret_hash) = 32),
  http_key_sealed bytea not null,
  broker_hash varchar(160) not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz
);
create index device_credential_device on device_credential (device_id);

create table school_device (
  id bigint generated always as identity primary key,
  device_id bigint not null references device (id),
  school_id bigint not null references school (id),
  place_id bigint not null references place (id),
  mount_note varchar(200),
  lng double precision check (lng between -180 and 180),
  lat double precision check (lat between -90 and 90),
  plan_x double precision,
  plan_y double precision,
  silent boolean not null default false,
  status varchar(10) not null default 'PLANNED'
    check (status in ('PLANNED', 'INSTALLED', 'ACCEPTED', 'SUSPENDED', 'REMOVED')),
  suspended_until timestamptz,
  installed_by bigint references users (id),
  installed_at timestamptz,
  accepted_by bigint references users (id),
  accepted_at timestamptz,
  last_test_at timestamptz,
  next_test_due date,
  valid_from timestamptz not null default now(),
  valid_to timestamptz,
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  check (valid_to is null or valid_to >= valid_from)
);
create unique index school_device_open_key on school_device (device_id) where valid_to is null;
create index school_device_school on school_device (school_id);
create index school_device_place on school_device (place_id);

-- Written in one statement a second per node; narrow, no index on what changes.
create table device_state (
  device_id bigint primary key references device (id) on delete cascade,
  connectivity varchar(10) not null default 'NEVER_SEEN'
    check (connectivity in ('NEVER_SEEN', 'ONLINE', 'LATE', 'OFFLINE')),
  since timestamptz not null default now(),
  last_seen_at timestamptz,
  last_heartbeat_at timestamptz,
  link_lost_at timestamptz,
  boot bigint,
  seq bigint,
  skew_ms bigint,
  battery_pct integer,
  rssi integer,
  fw varchar(40),
  cfg_version varchar(40),
  unsent integer,
  change_count integer not null default 0,
  changes_since timestamptz,
  flapping boolean not null default false
) with (fillfactor = 70);

create table device_connectivity (
  device_id bigint not null,
  at timestamptz not null default now(),
  from_state varchar(10) not null,
  to_state varchar(10) not null,
  reason varchar(20) not null
) partition by range (at);
create table device_connectivity_rest partition of device_connectivity default;
create index device_connectivity_device on device_connectivity (device_id, at);

-- Since when each node has listened to devices without a gap: nobody is called offline whom nobody could hear.
create table gateway_node (
  id uuid primary key,
  listening_since timestamptz not null default now(),
  beat_at timestamptz not null default now()
);

-- Messages to devices: an area writes the row, the gateway that holds the device sends it.
create table device_outbox (
  id bigint generated always as identity primary key,
  device_id bigint not null references device (id) on delete cascade,
  channel varchar(10) not null check (channel in ('ack', 'cmd', 'config', 'time')),
  key varchar(40) not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  sent_at timestamptz,
  constraint device_outbox_key unique (device_id, channel, key)
);

-- Refused strangers: one row per serial number and address, at most 1,000.
create table unknown_device (
  id bigint generated always as identity primary key,
  sn varchar(64) not null,
  product_key varchar(64) not null,
  ip varchar(45) not null,
  reason varchar(20) not null check (reason in ('UNKNOWN_SN', 'BAD_SECRET', 'RETIRED', 'BAD_NAME')),
  count bigint not null default 1,
  first_at timestamptz not null default now(),
  last_at timestamptz not null default now(),
  constraint unknown_device_key unique (sn, ip)
);
