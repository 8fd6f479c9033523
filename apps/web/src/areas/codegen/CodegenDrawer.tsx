import { useQuery } from '@tanstack/react-query'
import { codegens } from '@tocsin/contract/codegen/calls'
import type { CodegenDetail, CodegenTable } from '@tocsin/contract/codegen/codegen'
import { fieldErrorText, issueText } from '@tocsin/contract/issue'
import { Button, Flex, Form, type FormInstance, Skeleton, Tabs } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#api/error.ts'
import { showError } from '#api/messages.ts'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { useLang } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { AppDrawer } from '#ui/overlay/AppDrawer.tsx'
import { ErrorState } from '#ui/ErrorState.tsx'
import { notify } from '#ui/notify.ts'
import { isStale } from '#ui/edit-conflict/remote-row.ts'
import { ColumnFields, type Unchosen } from './columns/ColumnFields.tsx'
import { toEditBody, toFormPath, fitInputsToDict, type Values, valuesOf } from './columns/columns-form.ts'
import { ColumnConflict, SaveOverLabel } from './edit-conflict/ColumnConflict.tsx'
import { type ColumnConflictState, useColumnConflict } from './edit-conflict/use-column-conflict.ts'
import { TableFields } from './TableFields.tsx'

type EditingProps = {
  detail: CodegenDetail
  of: Unchosen
  form: FormInstance<Values>
  told: ColumnConflictState | undefined
  round: number
  save: (detail: CodegenDetail, values: Values) => Promise<void>
}

const Editing = ({ detail, of, form, told, round, save }: EditingProps) => {
  const { t } = useTranslation()
  const [tab, setTab] = useState('table')
  return (
    <Form
      form={form}
      layout="vertical"
      initialValues={valuesOf(detail)}
      scrollToFirstError={{ block: 'center' }}
      onValuesChange={(changed) => fitInputsToDict(form, detail, changed)}
      // Settings of a column that are not on the screen stay unchanged.
      onFinish={() => void save(detail, form.getFieldsValue(true) as Values)}
      onFinishFailed={({ errorFields }) => setTab(String(errorFields[0]?.name[0] ?? tab))}
    >
      {told && <ColumnConflict form={form} told={told} />}
      <Tabs
        activeKey={tab}
        onChange={setTab}
        items={[
          { key: 'table', label: t('codegen.basic'), forceRender: true, children: <TableFields detail={detail} /> },
          {
            key: 'columns',
            label: t('codegen.columns'),
            forceRender: true,
            children: <ColumnFields key={round} detail={detail} of={of} />,
          },
        ]}
      />
    </Form>
  )
}

/** The settings of a table's module. */
export const CodegenDrawer = ({ table, onClose }: { table: CodegenTable; onClose: () => void }) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm<Values>()
  const query = { tableId: table.id }
  const { data, error, refetch } = useQuery({ ...inlineQuery(codegens.detail, { query }), gcTime: 0 })
  const [begun, setBegun] = useState<CodegenDetail>()
  // The version first read: a concurrent save of another user must cause a conflict, not be overwritten.
  if (!begun && data) setBegun(data)
  const { detail, told, round, refused: met } = useColumnConflict(form, begun)
  const of: Unchosen = data ?? { looked: false, leftOut: [] }
  const update = useApiMutation(codegens.update, { fieldsInline: true })
  const save = async (detailed: CodegenDetail, values: Values) => {
    try {
      await update.mutateAsync({ body: toEditBody(detailed, values, of.looked) })
      notify.success(t('list.saved'))
      onClose()
    } catch (refused) {
      if (!(refused instanceof ApiError)) throw refused
      if (met(refused)) return
      if (isStale(refused)) showError(refused)
      const [first] = refused.errors
      if (!first) return
      notify.error(issueText(first, lang))
      // The form uses the contract's field names.
      form.setFields(
        refused.errors.map((error) => ({
          name: toFormPath(error.field) as never,
          errors: [fieldErrorText(error, lang)],
        })),
      )
    }
  }
  // Merging another user's change remounts the fields, and counts as input.
  const isDirty = useUnsavedGuard(() => detail !== undefined && (told !== undefined || form.isFieldsTouched()))
  const leave = async () => {
    if (!isDirty() || (await confirm({ title: t('list.discardAsk') }))) onClose()
  }
  return (
    <AppDrawer
      onClose={() => void leave()}
      size="min(1280px, 100vw)"
      title={t('codegen.editOf', { name: table.tableName })}
      mask={{ closable: false }}
      footer={
        <Flex gap="small" justify="end">
          <Button onClick={() => void leave()}>{t('list.cancel')}</Button>
          <Button type="primary" disabled={!detail} loading={update.isPending} onClick={() => form.submit()}>
            {told ? <SaveOverLabel form={form} told={told} /> : t('list.save')}
          </Button>
        </Flex>
      }
    >
      {detail && <Editing detail={detail} of={of} form={form} told={told} round={round} save={save} />}
      {!detail && (error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton active />)}
    </AppDrawer>
  )
}
