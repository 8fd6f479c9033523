import { WarnRule, WarnRuleDraft, warnRules } from '@tocsin/contract/alarm/rule'
import { useTranslation } from 'react-i18next'
import { useApiMutation } from '#api/query.ts'
import { readAs } from '#ui/edit-conflict/remote-row.ts'
import { EditDrawer } from '#ui/form/EditDrawer.tsx'
import { toDraft } from '#ui/form.ts'
import { notify } from '#ui/notify.ts'
import { RuleFields } from './RuleFields.tsx'
import { dropUnusedFields, newRule } from './rule-draft.ts'

type Props = { rule: WarnRule | undefined; readOnly: boolean; onClose: () => void }

/** Creates a rule, or changes the given one with a version check. */
export const RuleDrawer = ({ rule, readOnly, onClose }: Props) => {
  const { t } = useTranslation()
  const create = useApiMutation(warnRules.create, { fieldsInline: true })
  const update = useApiMutation(warnRules.update, { fieldsInline: true })
  const save = async (values: Record<string, unknown>, newer?: number) => {
    const draft = dropUnusedFields(toDraft(WarnRuleDraft, values))
    if (rule) await update.mutateAsync({ body: { ...draft, id: rule.id, version: newer ?? rule.version } })
    else await create.mutateAsync({ body: draft })
    notify.success(t(rule ? 'list.saved' : 'list.created'))
  }
  return (
    <EditDrawer
      title={readOnly ? rule?.name : rule ? t('alarm.editRule', { name: rule.name }) : t('alarm.newRule')}
      initialValues={rule ?? newRule}
      reading={readAs(WarnRule)}
      save={save}
      onClose={onClose}
      readOnly={readOnly}
      size="min(640px, 100vw)"
    >
      <RuleFields />
    </EditDrawer>
  )
}
