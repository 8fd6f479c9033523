import { WarnRule, WarnRuleDraft, warnRules } from '@tocsin/contract/alarm/rule'
import { Button, Flex, Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { ApiError } from '#api/error.ts'
import { showError } from '#api/messages.ts'
import { useApiMutation } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { useUnsavedGuard } from '#ui/form/unsaved-guard.ts'
import { AppDrawer } from '#ui/overlay/AppDrawer.tsx'
import { ReadDrawer } from '#ui/overlay/ReadDrawer.tsx'
import { confirm } from '#ui/confirm.ts'
import { toDraft, markErrors } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { ReadOnlyControls } from '#ui/responsive/ReadOnlyControls.tsx'
import { useRevalidateOnLanguage } from '#ui/responsive/use-revalidate-on-language.ts'
import { isStale, readAs } from '#ui/edit-conflict/remote-row.ts'
import { ConflictSummary, EditConflictProvider, SaveLabel } from '#ui/edit-conflict/RemoteValue.tsx'
import { useEditConflict } from '#ui/edit-conflict/use-edit-conflict.ts'
import { RuleFields } from './RuleFields.tsx'
import { newRule, ruleProblems, dropUnusedFields } from './rule-draft.ts'

/** Creates a rule, or changes the given one with a version check. */
const useSave = (rule: WarnRule | undefined) => {
  const create = useApiMutation(warnRules.create, { fieldsInline: true })
  const update = useApiMutation(warnRules.update, { fieldsInline: true })
  const save = (draft: WarnRuleDraft, newer: number | undefined) =>
    rule
      ? update.mutateAsync({ body: { ...draft, id: rule.id, version: newer ?? rule.version } })
      : create.mutateAsync({ body: draft })
  return { save, saving: create.isPending || update.isPending }
}

type Props = { rule: WarnRule | undefined; readOnly: boolean; onClose: () => void }

export const RuleForm = ({ rule, readOnly, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const { save, saving } = useSave(rule)
  const { version, told, refused } = useEditConflict(form, rule ?? newRule, readAs(WarnRule))

  const submit = async (values: Record<string, unknown>) => {
    const draft = dropUnusedFields(toDraft(WarnRuleDraft, values))
    const problems = ruleProblems(draft)
    if (problems.length > 0) {
      form.setFields(problems.map(({ name, text }) => ({ name, errors: [t(text)] })))
      return
    }
    await save(draft, version).then(
      () => {
        notify.success(t(rule ? 'list.saved' : 'list.created'))
        onClose()
      },
      async (error: unknown) => {
        if (await refused(error)) return
        if (isStale(error)) showError(error)
        // The mutation cache shows the error unless it belongs to a field.
        if (error instanceof ApiError) markErrors(form, error.errors, lang)
      },
    )
  }
  useRevalidateOnLanguage(form)
  const isDirty = useUnsavedGuard(() => form.isFieldsTouched())
  const leave = async () => {
    if (!isDirty() || (await confirm({ title: t('list.discardAsk') }))) onClose()
  }
  const Frame = readOnly ? ReadDrawer : AppDrawer
  const fields = (
    <Form
      form={form}
      layout="vertical"
      disabled={readOnly}
      requiredMark={!readOnly}
      initialValues={rule ?? newRule}
      scrollToFirstError={{ block: 'center' }}
      onFinish={(values: Record<string, unknown>) => void submit(values)}
    >
      {told && <ConflictSummary told={told} form={form} />}
      <EditConflictProvider value={told}>
        <RuleFields />
      </EditConflictProvider>
    </Form>
  )
  return (
    <Frame
      onClose={() => void leave()}
      size="min(640px, 100vw)"
      title={readOnly ? rule?.name : rule ? t('alarm.editRule', { name: rule.name }) : t('alarm.newRule')}
      mask={{ closable: readOnly }}
      footer={
        !readOnly && (
          <Flex gap="small" justify="end">
            <Button onClick={() => void leave()}>{t('list.cancel')}</Button>
            <Button type="primary" loading={saving} onClick={() => form.submit()}>
              <SaveLabel told={told} form={form} />
            </Button>
          </Flex>
        )
      }
    >
      {readOnly ? <ReadOnlyControls>{fields}</ReadOnlyControls> : fields}
    </Frame>
  )
}
