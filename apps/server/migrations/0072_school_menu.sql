-- The schools' entry moves below a directory of the same name, which people, calendar and accounts share. The entry keeps
-- its id, its buttons and the roles that hold it.
do $$
declare
  screen menu;
  directory bigint;
begin
  select * into screen from menu where component = 'school/index' and type = 'MENU' and parent_id is null
    and id = (select row_id from seeded where key = 'menu/School');
  if screen.id is null then
    return;
  end if;
  update menu set path = 'list' where id = screen.id;
  insert into menu (type, name, name_en, path, component_name, icon, sort)
    values ('DIR', screen.name || ' 0', screen.name_en, '/school', 'Schools', screen.icon, screen.sort)
    returning id into directory;
  update menu set parent_id = directory, sort = 1 where id = screen.id;
  update menu set name = screen.name where id = directory;
  insert into seeded (key, row_id) values ('menu/Schools', directory);
end $$;
