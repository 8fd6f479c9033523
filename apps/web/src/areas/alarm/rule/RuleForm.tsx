import { type WarnRule, WarnRuleDraft, warnRules } from '@tocsin/contract/alarm/rule'
import { Button, Flex, Form } from 'antd'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#api/error.ts'
import { useWrite } from '#api/query.ts'
import { useLang } from '#texts/i18n.ts'
import { useUnsaved } from '#shell/unsaved.ts'
import { AppDrawer } from '#ui/above/AppDrawer.tsx'
import { confirm } from '#ui/confirm.ts'
import { draftOf, markErrors } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { RuleFields } from './RuleFields.tsx'
import { newRule, ruleProblems, settled } from './rule-draft.ts'

/** Creates a rule, or changes the given one as of the version that was read. */
const useSave = (rule: WarnRule | undefined) => {
  const create = useWrite(warnRules.create, { fieldsInline: true })
  const update = useWrite(warnRules.update, { fieldsInline: true })
  const save = (draft: WarnRuleDraft) =>
    rule
      ? update.mutateAsync({ body: { ...draft, id: rule.id, version: rule.version } })
      : create.mutateAsync({ body: draft })
  return { save, saving: create.isPending || update.isPending }
}

type Props = { rule: WarnRule | undefined; readOnly: boolean; onClose: () => void }

export const RuleForm = ({ rule, readOnly, onClose }: Props) => {
  const { t } = useTranslation()
  const lang = useLang()
  const [form] = Form.useForm()
  const { save, saving } = useSave(rule)

  const submit = async (values: Record<string, unknown>) => {
    const draft = settled(draftOf(WarnRuleDraft, values))
    const problems = ruleProblems(draft)
    if (problems.length > 0) {
      form.setFields(problems.map(({ name, text }) => ({ name, errors: [t(text)] })))
      return
    }
    await save(draft).then(
      () => {
        notify.success(t(rule ? 'list.saved' : 'list.created'))
        onClose()
      },
      // Shown by the mutation cache unless it belongs to a field.
      (error: ApiError) => void markErrors(form, error.errors, lang),
    )
  }
  const isDirty = useUnsaved(() => form.isFieldsTouched())
  const leave = async () => {
    if (!isDirty() || (await confirm({ title: t('list.discardAsk') }))) onClose()
  }
  return (
    <AppDrawer
      onClose={() => void leave()}
      size="min(640px, 100vw)"
      title={readOnly ? rule?.name : rule ? t('alarm.editRule', { name: rule.name }) : t('alarm.newRule')}
      mask={{ closable: readOnly }}
      footer={
        !readOnly && (
          <Flex gap="small" justify="end">
            <Button onClick={() => void leave()}>{t('list.cancel')}</Button>
            <Button type="primary" loading={saving} onClick={() => form.submit()}>
              {t('list.save')}
            </Button>
          </Flex>
        )
      }
    >
      <Form
        form={form}
        layout="vertical"
        disabled={readOnly}
        initialValues={rule ?? newRule}
        scrollToFirstError={{ block: 'center' }}
        onFinish={(values: Record<string, unknown>) => void submit(values)}
      >
        <RuleFields />
      </Form>
    </AppDrawer>
  )
}
