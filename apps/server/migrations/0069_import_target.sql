-- Imports of every kind store the id of the row that a line creates or changes, whatever its table.
alter table import_row drop constraint import_row_user_id_fkey;
alter table import_row rename column user_id to target_id;
alter index import_row_user rename to import_row_target;
