-- Sign-ins are proof like the audit: the server adds to them and changes none. They age by this alone, and nobody removes
-- one that is younger than the law allows, whatever the server was told. Days are counted in hours, which no time zone
-- makes shorter.
create function age_logins(keep_days integer, most integer) returns bigint
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  cutoff constant timestamptz := now() - make_interval(hours => 24 * keep_days);
  gone bigint;
begin
  if cutoff is null or cutoff > now() - interval '4320 hours' then
    raise exception 'sign-ins are kept for 180 days at least';
  end if;
  delete from login_log
  where at < cutoff and id = any (array(select id from login_log where at < cutoff limit most));
  get diagnostics gone = row_count;
  return gone;
end $$;
revoke execute on function age_logins from public;

-- The same bound where whole months go. What an interval is taken to be and what it takes away differ: both are bounded.
create or replace function tend_partitions(parent text, months_ahead integer, keep interval) returns void
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
declare
  shortest constant interval := case parent when 'login_log' then interval '4320 hours' else interval '30 days' end;
  starts timestamptz;
  ends timestamptz;
  part text;
begin
  if parent <> all (array['login_log', 'device_message', 'device_connectivity'])
    or keep < shortest or now() - keep > now() - shortest
  then
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
