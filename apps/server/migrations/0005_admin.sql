-- The administration: leaders of departments, accounts of schools, limits that its forms promise.

alter table dept
  add column leader_user_id bigint constraint dept_leader_fkey references users (id),
  add constraint dept_sort check (sort between 0 and 100000);
create index dept_leader on dept (leader_user_id);
alter table role add constraint role_sort check (sort between 0 and 100000);
alter table menu add constraint menu_sort check (sort between 0 and 100000);
-- Tabs are kept by this name: two entries under one name would share a page.
create unique index menu_component_name_key on menu (component_name);

-- An account of a school: a user of type SCHOOL. His department is the school's.
create table merchant_profile (
  user_id bigint primary key references users (id) on delete cascade,
  school_id bigint not null constraint merchant_profile_school_fkey references school (id),
  job_title varchar(30)
);
create index merchant_profile_school on merchant_profile (school_id);
