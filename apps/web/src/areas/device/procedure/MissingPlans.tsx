import { warnClasses } from '@tocsin/contract/alarm-class'
import { procedures } from '@tocsin/contract/device/procedure/procedure-calls'
import {
  PROCEDURE_CREATE,
  PROCEDURE_PLAN,
  PROCEDURE_PUBLISH,
} from '@tocsin/contract/device/procedure/procedure-machine'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { inlineQuery, useApiMutation } from '#api/query.ts'
import { useSession } from '#api/session.ts'
import { enumLabel } from '#texts/enum-labels.ts'
import { useLang } from '#texts/i18n.ts'
import { confirm } from '#ui/confirm.ts'
import { notify } from '#ui/notify.ts'

const needed = [PROCEDURE_CREATE, PROCEDURE_PUBLISH, PROCEDURE_PLAN]

/** Names the classes of alarm without any plan and puts the built-in ones in force by one tap. */
export const MissingPlans = () => {
  const { t } = useTranslation()
  const lang = useLang()
  const permissions = useSession(({ permissions: granted }) => granted)
  const coverage = useQuery(inlineQuery(procedures.coverage))
  const builtIn = useQuery(inlineQuery(procedures.builtIn))
  const copy = useApiMutation(procedures.copy)
  const cells = coverage.data?.cells ?? []
  const missing = warnClasses.filter(
    (of) => cells.length > 0 && cells.every((cell) => cell.class !== of || cell.procedureId === null),
  )
  if (missing.length === 0) return null
  const plans = (builtIn.data ?? []).filter((item) => item.class !== null && missing.includes(item.class))
  const adopt = async () => {
    const names = plans.map((plan) => (lang === 'en' ? plan.nameEn : plan.name)).join(lang === 'en' ? ', ' : '、')
    if (!(await confirm({ title: t('procedure.adoptAsk', { n: plans.length }), text: names }))) return
    for (const { key } of plans) await copy.mutateAsync({ body: { key, publish: true } })
    await coverage.refetch()
    notify.success(t('procedure.published'))
  }
  const classes = missing.map((of) => enumLabel('warnClass', of, lang)).join(lang === 'en' ? ', ' : '、')
  const mayAdopt = plans.length > 0 && needed.every((item) => permissions.has(item))
  return (
    <Alert
      type="warning"
      showIcon
      title={t('procedure.missing', { classes })}
      description={t('procedure.missingHelp')}
      action={
        mayAdopt && (
          <Button loading={copy.isPending} onClick={() => void adopt()}>
            {t('procedure.adopt')}
          </Button>
        )
      }
    />
  )
}
