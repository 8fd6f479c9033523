-- A generated entity goes into an area of the business that exists: `duty` is `security` now, `system` was divided.
alter table codegen_table
  drop constraint codegen_table_area_check,
  alter column area type varchar(20);
update codegen_table set area = 'security' where area = 'duty';
update codegen_table set area = 'school' where area = 'system';
alter table codegen_table
  add constraint codegen_table_area_check check (area in
    ('school', 'device', 'security', 'notify', 'alarm', 'police', 'supervise', 'announcement', 'insight'));
