-- The menu entry of a generated slice goes under any directory, by its screen name; null: at the top.
alter table codegen_table
  drop constraint codegen_table_menu_under_check,
  alter column menu_under type varchar(100),
  alter column menu_under drop not null;
update codegen_table set menu_under = case menu_under when 'SYSTEM' then 'System' end;
