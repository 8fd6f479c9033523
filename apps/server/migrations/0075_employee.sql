-- People of schools, stations and operators, with or without an account (domain 2.1).
create table employee (
  id bigint generated always as identity primary key,
  dept_id bigint not null constraint employee_dept_fkey references dept (id),
  school_id bigint constraint employee_school_id_fkey references school (id),
  employee_no varchar(32) not null,
  name varchar(30) not null,
  gender varchar(10) not null default 'UNKNOWN' check (gender in ('MALE', 'FEMALE', 'UNKNOWN')),
  mobile varchar(11) check (mobile ~ '^1[3-9][0-9]{9}$'),
  mobile_verified_at timestamptz,
  kind varchar(20) not null check (kind in ('TEACHER', 'SAFETY_OFFICER', 'GUARD', 'POLICE', 'AUX_POLICE', 'OPERATOR',
    'MAINTAINER', 'SUPERVISOR', 'PARENT_VOLUNTEER')),
  post varchar(30),
  cert_no varchar(40),
  cert_expires_on date,
  background_checked_on date,
  status varchar(10) not null default 'ACTIVE' check (status in ('ACTIVE', 'LEAVE', 'LEFT')),
  left_at timestamptz,
  user_id bigint constraint employee_user_key unique constraint employee_user_id_fkey references users (id),
  -- In the order in which they are tried, each with its quiet hours; an alarm of level 1 ignores those.
  channels jsonb not null default '[]' constraint employee_channels_check check (coalesce(
    jsonb_path_match(channels, 'strict $.type() == "array" && $.size() <= 6', '{}', true)
    and jsonb_array_length(channels) = jsonb_array_length(jsonb_path_query_array(channels,
      'strict $[*] ? ((@.channel == "INAPP" || @.channel == "PUSH" || @.channel == "SMS" || @.channel == "VOICE"
        || @.channel == "EMAIL" || @.channel == "WECOM_APP")
        && ((@.quietFrom == null && @.quietTo == null) || (@.quietFrom like_regex "^([01][0-9]|2[0-3]):[0-5][0-9]$"
          && @.quietTo like_regex "^([01][0-9]|2[0-3]):[0-5][0-9]$")))', '{}', true)), false)),
  remark varchar(500),
  version integer not null default 1,
  create_time timestamptz not null default now(),
  creator bigint,
  update_time timestamptz not null default now(),
  updater bigint,
  constraint employee_no_key unique (dept_id, employee_no),
  -- A number that is not there was not verified.
  check (mobile is not null or mobile_verified_at is null),
  check ((status = 'LEFT') = (left_at is not null))
);
comment on table employee is '人员';
create index employee_school_name on employee (school_id, name);
create index employee_name on employee (name);
create index employee_cert on employee (cert_expires_on) where cert_expires_on is not null and status <> 'LEFT';

-- Further schools that somebody works at, beside his own.
create table employee_school (
  employee_id bigint not null references employee (id) on delete cascade,
  school_id bigint not null references school (id) on delete cascade,
  primary key (employee_id, school_id)
);
comment on table employee_school is '人员兼任学校';
create index employee_school_school on employee_school (school_id);

-- Accounts that take up alarms of a department, as `school_lacks` counts them.
create function alarm_recipients(bigint) returns table (user_id bigint) language sql stable as $$
  with recursive live_menu as (
    select id, permission from menu where parent_id is null and enabled
    union select m.id, m.permission from menu m join live_menu p on m.parent_id = p.id where m.enabled
  ), claiming as (
    select id, data_scope <> 'SELF' as wide from role where enabled and (
      code = 'super_admin' and built_in
      or id in (select rm.role_id from role_menu rm join live_menu m on m.id = rm.menu_id
        where m.permission = 'warn:record:claim'))
  )
  select distinct u.id from users u join user_role ur on ur.user_id = u.id join claiming on claiming.id = ur.role_id
  where u.dept_id = $1 and u.enabled and (claiming.wide or exists (
    select from user_role held join role on role.id = held.role_id
    where held.user_id = u.id and role.enabled and role.data_scope <> 'SELF'))
$$;
