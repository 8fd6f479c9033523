-- Devices that went offline together: one outage with its devices instead of an alarm for each (domain 6.4, 6.5).

create table outage (
  id bigint generated always as identity primary key,
  kind varchar(10) not null check (kind in ('GATEWAY', 'SCHOOL', 'DISTRICT')),
  -- The gateway, the school or the department.
  subject_id bigint not null,
  name varchar(100) not null,
  -- The device whose signals begin and end the outage.
  device_id bigint not null references device (id) on delete cascade,
  school_id bigint references school (id),
  dept_id bigint not null references dept (id),
  record_id bigint references warn_record (id),
  -- The wider outage that took over its devices.
  into_id bigint references outage (id),
  started_at timestamptz not null default now(),
  changed_at timestamptz not null default now(),
  ended_at timestamptz
);
comment on table outage is '大面积离线';
create unique index outage_open_key on outage (kind, subject_id) where ended_at is null;
create index outage_record on outage (record_id);
create index outage_device_id on outage (device_id);
create index outage_into on outage (into_id) where into_id is not null;
create index outage_school on outage (school_id);
create index outage_dept on outage (dept_id);

create table outage_device (
  outage_id bigint not null references outage (id) on delete cascade,
  device_id bigint not null references device (id) on delete cascade,
  school_id bigint references school (id),
  dept_id bigint not null references dept (id),
  since timestamptz not null default now(),
  -- Connected again.
  restored_at timestamptz,
  -- Alone again: the device has an alarm of its own.
  raised_at timestamptz,
  primary key (outage_id, device_id)
);
comment on table outage_device is '大面积离线的设备';
create unique index outage_device_open_key on outage_device (device_id) where restored_at is null and raised_at is null;
create index outage_device_device on outage_device (device_id);
create index outage_device_school on outage_device (school_id, since);
create index outage_device_dept on outage_device (dept_id);
create index outage_device_since on outage_device (since);
