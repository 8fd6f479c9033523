-- The audit ages by whole seals, from the oldest on; nobody but this removes a row of it, and nobody at all one that is
-- younger than the law allows, whatever the server was told (decision 006). Days are counted in hours, which no time zone
-- makes shorter. The last seal whose rows went stays: what follows is chained to it.
create function age_audit(keep_days integer, until bigint)
returns table (seal bigint, rows bigint)
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
#variable_conflict use_column
declare
  cutoff constant timestamptz := now() - make_interval(hours => 24 * keep_days);
  last_seq bigint;
  gone bigint;
begin
  if cutoff is null or cutoff > now() - interval '4320 hours' then
    raise exception 'the audit is kept for 180 days at least';
  end if;
  -- A clock that jumps ahead makes all of it old at once. Nothing goes until a seal is a day old: the answer names none.
  if not exists (
    select from seal s where s.at between now() - interval '192 hours' and now() - interval '24 hours'
  ) then
    return query select null::bigint, 0::bigint;
    return;
  end if;
  select max(run.seq) into last_seq from (
    select s.seq,
      bool_and(
        s.at < cutoff
          and not exists (
            select from jsonb_array_elements(s.row_ids) as held (id)
              join audit_log a on a.id = held.id::bigint
            where a.at >= cutoff
          )
      ) over (order by s.seq) as old
    from seal s where s.seq <= until
  ) as run
  where run.old;
  delete from audit_log a using seal s, jsonb_array_elements(s.row_ids) as held (id)
  where s.seq <= last_seq and a.id = held.id::bigint;
  get diagnostics gone = row_count;
  if gone = 0 then
    return;
  end if;
  delete from seal s where s.seq < last_seq;
  return query select last_seq, gone;
end $$;
revoke execute on function age_audit from public;
create index seal_at on seal (at);
-- Each removal looks for the one before.
create index audit_log_age on audit_log (id) where action = 'system:operate-log:age';
-- Nothing lies before the first seal. One that was put there earlier does not keep the server from starting: verify-log
-- finds it.
alter table seal add constraint seal_seq_check check (seq > 0) not valid;
update config set remark = '登录日志保留的天数，不少于 180 天'
where key = 'log.login-days' and remark = '登录日志保留的天数，不少于 180 天；操作日志永久保留';
