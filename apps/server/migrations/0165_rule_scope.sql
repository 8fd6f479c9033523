-- Where and when a rule applies, what a shadow rule would have raised, and every version of a rule.

alter table warn_rule
  add column dept_ids bigint[] not null default '{}',
  add column school_ids bigint[] not null default '{}',
  add column model_ids bigint[] not null default '{}',
  add column schedule varchar(12) not null default 'ALWAYS'
    check (schedule in ('ALWAYS', 'CLASS', 'OUT_OF_CLASS', 'NIGHT', 'HOLIDAY'));

-- A signal outside the hours of its rule. Not checked for the rows that are there, which have the earlier reasons.
alter table signal drop constraint signal_suppressed_check;
alter table signal add constraint signal_suppressed_check check (suppressed in
  ('NO_RULE', 'SHADOW', 'BELOW_REPEAT', 'WAITING', 'RECOVERY', 'INFORMATION', 'OUT_OF_HOURS')) not valid;

-- A signal that met the condition of a shadow rule. Its subject is the key of the record that the rule would have raised.
create table warn_rule_hit (
  rule_id bigint not null references warn_rule (id) on delete cascade,
  device_id bigint not null references device (id) on delete cascade,
  event_id varchar(40) not null,
  rule_version integer not null,
  at timestamptz not null,
  subject varchar(120) not null,
  school_id bigint,
  dept_id bigint not null,
  primary key (rule_id, device_id, event_id)
);
comment on table warn_rule_hit is '影子规则命中';
create index warn_rule_hit_at on warn_rule_hit (rule_id, at);
create index warn_rule_hit_device on warn_rule_hit (device_id);

create table warn_rule_version (
  rule_id bigint not null references warn_rule (id) on delete cascade,
  edition integer not null,
  at timestamptz not null default now(),
  by_id bigint,
  content jsonb not null,
  primary key (rule_id, edition)
);
comment on table warn_rule_version is '接警规则版本';

-- Every way that changes a rule keeps its version.
create function keep_rule_version() returns trigger language plpgsql as $$
begin
  insert into warn_rule_version (rule_id, edition, by_id, content)
  values (new.id, new.version, new.updater, to_jsonb(new))
  on conflict (rule_id, edition) do update set content = excluded.content, at = now(), by_id = excluded.by_id;
  return null;
end $$;
create trigger warn_rule_version after insert or update on warn_rule
  for each row execute function keep_rule_version();

insert into warn_rule_version (rule_id, edition, at, by_id, content)
select id, version, update_time, updater, to_jsonb(warn_rule) from warn_rule;
