import { Flex, Typography } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDictLabels } from '#ui/dict/use-dict-labels.ts'
import { DictSelect } from '#ui/dict/DictSelect.tsx'
import { DictTag } from '#ui/dict/DictTag.tsx'

/** The dictionary as other screens show it: its enabled entries in a select, and the selected one as a tag. */
export const DictPreview = ({ dictType }: { dictType: string }) => {
  const { t } = useTranslation()
  const entries = useDictLabels(dictType)
  const [chosen, setChosen] = useState<string>()
  const value = entries.some((entry) => entry.value === chosen) ? chosen : entries[0]?.value
  if (value === undefined) return null
  return (
    <section aria-label={t('dict.inUse')} className="dict-in-use">
      <Typography.Text type="secondary">{t('dict.inUse')}</Typography.Text>
      <Flex wrap gap="small" align="center">
        <DictSelect
          type={dictType}
          value={value}
          onChange={setChosen}
          aria-label={t('dict.inUse')}
          style={{ minWidth: 140 }}
        />
        <DictTag type={dictType} value={entries.map((entry) => entry.value)} />
      </Flex>
    </section>
  )
}
