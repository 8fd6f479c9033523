-- What an entry is called in English; without it the label is shown in either language.
alter table dict_data add label_en varchar(100);
