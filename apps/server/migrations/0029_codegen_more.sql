-- The rest of what people choose for a generated slice: its template, and of a column where it appears and an example.
alter table codegen_table
  add column template varchar(10) not null default 'SINGLE' check (template in ('SINGLE', 'TREE', 'SUB')),
  add column join_column varchar(63);
alter table codegen_column rename column in_form to in_create;
alter table codegen_column
  add column in_update boolean not null default false,
  add column example varchar(50),
  drop constraint codegen_column_kind_check,
  add constraint codegen_column_kind_check
    check (kind in ('TEXT', 'INT', 'BIGINT', 'FLOAT', 'BOOL', 'DAY', 'INSTANT', 'LIST')),
  drop constraint codegen_column_form_type_check,
  add constraint codegen_column_form_type_check
    check (form_type in ('INPUT', 'TEXTAREA', 'NUMBER', 'SWITCH', 'SELECT', 'RADIO', 'CHECKBOX', 'DATE', 'DATETIME',
      'IMAGE', 'FILE', 'EDITOR', 'SCHOOL', 'PARENT'));
update codegen_column set in_update = in_create;
alter table codegen_table alter column template drop default;
alter table codegen_column alter column in_update drop default;
