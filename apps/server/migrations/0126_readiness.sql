-- Readiness of devices and schools: derived values, computed from facts.

create table device_readiness (
  device_id bigint primary key references device (id) on delete cascade,
  school_id bigint not null references school (id) on delete cascade,
  score integer not null check (score between 0 and 100),
  reasons jsonb not null,
  low_since timestamptz,
  weights_version integer not null,
  computed_at timestamptz not null default now()
);
comment on table device_readiness is '设备就绪度';
create index device_readiness_school on device_readiness (school_id);
create index device_readiness_low on device_readiness (low_since) where low_since is not null;

create table school_readiness (
  school_id bigint primary key references school (id) on delete cascade,
  score integer not null check (score between 0 and 100),
  devices integer not null,
  low integer not null,
  reasons jsonb not null,
  computed_at timestamptz not null default now()
);
comment on table school_readiness is '学校就绪度';
create index school_readiness_score on school_readiness (score, school_id);

create table school_readiness_day (
  school_id bigint not null references school (id) on delete cascade,
  day date not null,
  score integer not null check (score between 0 and 100),
  devices integer not null,
  low integer not null,
  primary key (school_id, day)
);
comment on table school_readiness_day is '学校每日就绪度';

-- Up to which event the facts are processed; one row.
create table readiness_cursor (
  one boolean primary key default true check (one),
  last_seq bigint not null default 0,
  full_at timestamptz
);
comment on table readiness_cursor is '就绪度计算进度';
insert into readiness_cursor default values;
