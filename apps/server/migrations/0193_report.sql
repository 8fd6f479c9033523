-- Reports of a closed period about a school, district or station. Issued ones are frozen.
create table report (
  id bigint generated always as identity primary key,
  kind varchar(8) not null check (kind in ('DAY', 'WEEK', 'MONTH')),
  subject_type varchar(8) not null check (subject_type in ('SCHOOL', 'DEPT', 'STATION')),
  subject_id bigint not null,
  subject_name varchar(128) not null,
  -- The schools that the figures count: a reader must see all of them.
  school_ids bigint[] not null check (cardinality(school_ids) > 0),
  from_day date not null,
  to_day date not null,
  figures_version integer not null,
  figures jsonb not null,
  issued_at timestamptz not null default now(),
  issued_by bigint,
  constraint report_period_key unique (subject_type, subject_id, kind, from_day)
);
comment on table report is '报表';
create index report_from on report (from_day desc, id desc);

create function refuse_report_change() returns trigger language plpgsql as $$
begin
  raise exception 'report % is issued and frozen', old.id;
end $$;
create trigger report_frozen before update or delete on report for each row execute function refuse_report_change();
