import { Preferences } from '@tocsin/contract/access/preference'
import { CloseOutlined, SaveOutlined } from '@ant-design/icons'
import { Button, Flex, Space } from 'antd'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { confirm } from '#ui/confirm.ts'
import { prompt } from '#ui/prompt/prompt.tsx'
import { setPreferences, usePreferences } from '../theme/preferences.ts'
import { MAX_VIEW_NAME, MAX_VIEWS, parseViews, toViewQuery, withoutView, withView } from './saved-views.ts'

/** The user's named filters of a list, the same on every computer: one tap filters the list. */
export const SavedViews = ({ list }: { list: string }) => {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const stored = usePreferences(({ savedViews }) => savedViews)
  const views = parseViews(stored)[list] ?? []
  const query = toViewQuery(params)
  const isNew = query !== '' && views.every((view) => view.query !== query)
  const change = (savedViews: string) => setPreferences({ savedViews })
  const save = async () => {
    const fits = (name: string) =>
      name !== '' &&
      name.length <= MAX_VIEW_NAME &&
      Preferences.safeParse({ savedViews: withView(stored, list, { name, query }) }).success
    const answer = await prompt({
      title: t('list.saveView'),
      label: t('list.viewName'),
      validator: (value) => fits(value.trim()),
      message: t('list.viewNameHelp', { n: MAX_VIEW_NAME }),
    })
    if (answer.result === 'confirm') change(withView(stored, list, { name: answer.value.trim(), query }))
  }
  const remove = async (name: string) => {
    const isAgreed = await confirm({ title: t('list.removeView', { name }), yes: t('list.delete'), danger: true })
    if (isAgreed) change(withoutView(stored, list, name))
  }
  if (views.length === 0 && !isNew) return null
  return (
    <Flex gap="small" wrap role="group" aria-label={t('list.views')}>
      {views.map((view) => (
        <Space.Compact key={view.name} size="small">
          <Button
            size="small"
            type={view.query === query ? 'primary' : 'default'}
            aria-pressed={view.query === query}
            onClick={() => setParams(new URLSearchParams(view.query))}
          >
            {view.name}
          </Button>
          <Button
            size="small"
            icon={<CloseOutlined />}
            aria-label={t('list.removeView', { name: view.name })}
            onClick={() => void remove(view.name)}
          />
        </Space.Compact>
      ))}
      {isNew && views.length < MAX_VIEWS && (
        <Button size="small" type="text" icon={<SaveOutlined />} onClick={() => void save()}>
          {t('list.saveView')}
        </Button>
      )}
    </Flex>
  )
}
