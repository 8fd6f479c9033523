-- A generated form may carry a value without showing it.
alter table codegen_column
  drop constraint codegen_column_form_type_check,
  add constraint codegen_column_form_type_check
    check (form_type in ('INPUT', 'TEXTAREA', 'NUMBER', 'SWITCH', 'SELECT', 'RADIO', 'CHECKBOX', 'DATE', 'DATETIME',
      'IMAGE', 'FILE', 'EDITOR', 'SCHOOL', 'PARENT', 'HIDDEN'));
