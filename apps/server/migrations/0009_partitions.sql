-- Logs and raw messages by month: what is too old goes as a whole month, without a row being touched.

-- What is open and at no school is seen through its department.
create index warn_record_open_dept on warn_record (dept_id) where open;

-- What devices report beside alarms and events, as it came: progress of updates, uploaded recordings, and whatever
-- could not be read, with the reason. Nobody's uniqueness hangs on it.
create table device_message (
  device_id bigint not null,
  at timestamptz not null default now(),
  channel varchar(10) not null check (channel in ('state', 'reply', 'ota', 'media')),
  message jsonb,
  raw bytea,
  reason varchar(80),
  check ((message is null) = (reason is not null))
) partition by range (at);
create table device_message_rest partition of device_message default;
create index device_message_device on device_message (device_id, at);

-- Requests of devices that hand something out count once, on whatever node they arrive.
create table device_nonce (
  device_id bigint not null references device (id) on delete cascade,
  nonce varchar(64) not null,
  at timestamptz not null default now(),
  primary key (device_id, nonce)
);
create index device_nonce_at on device_nonce (at);

alter table login_log rename to login_log_before;
create table login_log (like login_log_before including defaults including constraints including identity)
  partition by range (at);
create table login_log_rest partition of login_log default;
insert into login_log overriding system value select * from login_log_before;
select setval(pg_get_serial_sequence('login_log', 'id'), greatest(max(id), 1), max(id) is not null) from login_log;
drop table login_log_before;
alter table login_log add primary key (id, at);
create index login_log_at on login_log (at, id);
create index login_log_dept on login_log (dept_id, at);

-- The server may not make tables; this it may have done, for these three. Months begin at midnight UTC. A partition is
-- made beside the table and takes over what the rest holds of its month, so that it can be made late as well. Whoever
-- holds the table keeps it from waiting long: the next hour tries again.
create function tend_partitions(parent text, months_ahead integer, keep interval) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  starts timestamptz;
  ends timestamptz;
  part text;
begin
  if parent <> all (array['login_log', 'device_message', 'device_connectivity']) or keep < interval '30 days' then
    raise exception 'partitions of % are not tended like that', parent;
  end if;
  perform pg_advisory_xact_lock(1953456499, 9);
  for n in 0..months_ahead loop
    starts := (date_trunc('month', now() at time zone 'UTC') + make_interval(months => n)) at time zone 'UTC';
    ends := (starts at time zone 'UTC' + interval '1 month') at time zone 'UTC';
    part := parent || to_char(starts at time zone 'UTC', '_YYYYMM');
    continue when to_regclass(part) is not null;
    execute format('lock table %I in share row exclusive mode', parent);
    execute format('create table %I (like %I including defaults including constraints)', part, parent);
    execute format('with moved as (delete from %I where at >= $1 and at < $2 returning *)
      insert into %I select * from moved', parent || '_rest', part) using starts, ends;
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, part, starts, ends);
  end loop;
  for part in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = parent::regclass and c.relname ~ ('^' || parent || '_\d{6}$')
      and (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month') at time zone 'UTC' <= now() - keep
  loop
    execute format('drop table %I', part);
  end loop;
end $$;
revoke execute on function tend_partitions from public;
