-- The audit ages by whole seals, from the oldest on; nobody but this removes a row of it, and nobody at all one that is
-- younger than the law allows, whatever the server was told (decision 006). The last seal whose rows went stays: what
-- follows is chained to it.
create function age_audit(keep interval, most_rows integer)
returns table (seal bigint, at timestamptz, hash bytea, rows bigint)
language plpgsql security definer set search_path = public, pg_temp set lock_timeout = '2s' as $$
#variable_conflict use_column
declare
  cutoff constant timestamptz := now() - keep;
  first_seq bigint;
  last_seq bigint;
  gone bigint;
begin
  if keep is null or keep < interval '180 days' then
    raise exception 'the audit is kept for 180 days at least';
  end if;
  -- "age" beside the sealer's "seal": one node at a time.
  if not pg_try_advisory_xact_lock(1953456499, 10) then
    return;
  end if;
  select min(s.seq) into first_seq from seal s;
  select max(run.seq) into last_seq from (
    select old.seq, bool_and(old.old) over (order by old.seq) as whole from (
      select s.seq,
        s.at < cutoff
          and sum(jsonb_array_length(s.row_ids)) over (order by s.seq) - jsonb_array_length(s.row_ids) < most_rows
          and not exists (
            select from jsonb_array_elements(s.row_ids) as held (id)
              join audit_log a on a.id = held.id::bigint
            where a.at >= cutoff
          ) as old
      from seal s where s.seq < first_seq + most_rows
    ) as old
  ) as run
  where run.whole;
  if last_seq is null then
    return;
  end if;
  delete from audit_log a using seal s, jsonb_array_elements(s.row_ids) as held (id)
  where s.seq <= last_seq and a.id = held.id::bigint;
  get diagnostics gone = row_count;
  if gone = 0 then
    return;
  end if;
  delete from seal s where s.seq < last_seq;
  return query select s.seq, s.at, s.hash, gone from seal s where s.seq = last_seq;
end $$;
revoke execute on function age_audit from public;
update config set remark = '登录日志保留的天数，不少于 180 天'
where key = 'log.login-days' and remark = '登录日志保留的天数，不少于 180 天；操作日志永久保留';
