-- Two built-in roles had no right, and nobody may add to built-in roles: where they stand already they get what new
-- installations seed.
insert into role_menu (role_id, menu_id)
select role.id, menu.id from role join menu on
  role.code = 'counsellor' and menu.permission = 'bully:merchant-user:query'
  or role.code = 'api_client' and menu.permission in ('warn:record:query', 'warn:log:query', 'school:school:query',
    'school:place:query', 'device:school-device:query', 'infra:api-docs:query')
where role.built_in
on conflict do nothing;
update role set remark = '对接系统的账号：只读警情、学校与设备' where code = 'api_client' and built_in and remark like '%权限由管理员按需授予%';
