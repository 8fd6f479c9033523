import { type CalendarYear, SchoolTerm, SchoolTermDraft, schoolCalendar } from '@tocsin/contract/school/calendar'
import { formatMinute } from '@tocsin/contract/security/hours'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Flex, Form, Input, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { AppModal } from '#ui/AppModal.tsx'
import { column, tableColumn } from '#ui/column.tsx'
import { DayPicker } from '#ui/dates/DayPicker.tsx'
import { MinutePicker } from '#ui/dates/MinutePicker.tsx'
import { Field } from '#ui/Field.tsx'
import { showFieldErrors } from '#ui/form/field-errors.ts'
import { RowActions } from '#ui/list/RowActions.tsx'
import { useDeletion } from '#ui/prompt/use-deletion.ts'
import { ScrollTable } from '#ui/responsive/ScrollTable.tsx'

type Term = CalendarYear['terms'][number]
type Values = Omit<SchoolTermDraft, 'deptId'>

/** From 07:50 to 17:00. */
const newTerm = { fromMin: 470, toMin: 1020 }

const TermDialog = ({ deptId, term, onClose }: { deptId: number; term: Term | undefined; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm<Values>()
  const create = useApiMutation(schoolCalendar.createTerm, { also: [schoolCalendar.year], fieldsInline: true })
  const update = useApiMutation(schoolCalendar.updateTerm, { also: [schoolCalendar.year], fieldsInline: true })
  const submit = async (columns: Values) => {
    const done: Promise<unknown> = term
      ? update.mutateAsync({ body: { id: term.id, version: term.version, ...columns } })
      : create.mutateAsync({ body: { deptId, ...columns } })
    await done.then(onClose, (error: unknown) => showFieldErrors(form, error, lang))
  }
  return (
    <AppModal
      title={t(term ? 'calendar.editTerm' : 'calendar.createTerm')}
      okText={t('list.save')}
      okButtonProps={{ loading: create.isPending || update.isPending }}
      cancelText={t('list.cancel')}
      onOk={() => form.submit()}
      onCancel={onClose}
    >
      <Form
        form={form}
        layout="vertical"
        initialValues={term ?? newTerm}
        onFinish={(values: Values) => void submit(values)}
      >
        <Field of={SchoolTermDraft} name="name">
          <Input maxLength={32} />
        </Field>
        <Field of={SchoolTermDraft} name="fromDay">
          <DayPicker />
        </Field>
        <Field of={SchoolTermDraft} name="toDay">
          <DayPicker />
        </Field>
        <Field of={SchoolTermDraft} name="fromMin">
          <MinutePicker />
        </Field>
        <Field of={SchoolTermDraft} name="toMin">
          <MinutePicker isEnd />
        </Field>
      </Form>
    </AppModal>
  )
}

const columns = [
  column(SchoolTerm, 'name', { main: true }),
  column(SchoolTerm, 'fromDay'),
  column(SchoolTerm, 'toDay'),
  column(SchoolTerm, 'fromMin', { show: (minute) => formatMinute(minute) }),
  column(SchoolTerm, 'toMin', { show: (minute) => formatMinute(minute) }),
]

type Props = { deptId: number; terms: readonly Term[]; mayEdit: boolean }

/** Terms of the department; those of the departments above are shown with their name and edited there. */
export const TermList = ({ deptId, terms, mayEdit }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [open, setOpen] = useState<{ term: Term | undefined }>()
  const remove = useDeletion(schoolCalendar.deleteTerm)
  return (
    <section aria-label={t('calendar.terms')}>
      <Flex justify="space-between" align="center" wrap gap="small">
        <Typography.Title level={5}>{t('calendar.terms')}</Typography.Title>
        {mayEdit && (
          <Button icon={<PlusOutlined />} onClick={() => setOpen({ term: undefined })}>
            {t('calendar.createTerm')}
          </Button>
        )}
      </Flex>
      <ScrollTable<Term>
        size="small"
        rowKey="id"
        dataSource={[...terms]}
        pagination={false}
        locale={{ emptyText: <Typography.Text type="secondary">{t('calendar.noTerms')}</Typography.Text> }}
        columns={[
          ...columns.map((column) => tableColumn<Term>(column, lang)),
          { key: 'dept', title: t('calendar.dept'), dataIndex: 'deptName' },
          {
            key: 'actions',
            render: (_, term) =>
              mayEdit &&
              term.deptId === deptId && (
                <RowActions
                  items={[
                    { key: 'edit', label: t('list.edit'), run: () => setOpen({ term }) },
                    {
                      key: 'delete',
                      label: t('list.delete'),
                      run: () => void remove(term.id, term.name),
                      danger: true,
                    },
                  ]}
                />
              ),
          },
        ]}
      />
      {open && <TermDialog deptId={deptId} term={open.term} onClose={() => setOpen(undefined)} />}
    </section>
  )
}
