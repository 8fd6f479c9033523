/** The sections of the guide in order: an anchor, a heading and steps. */
export const sections = [
  {
    id: 'sign-in',
    title: 'guide.signIn',
    steps: ['guide.signIn1', 'guide.signIn2', 'guide.signIn3'],
  },
  {
    id: 'find',
    title: 'guide.find',
    steps: ['guide.find1', 'guide.find2', 'guide.find3', 'guide.find4'],
  },
  {
    id: 'live',
    title: 'guide.live',
    steps: ['guide.live1', 'guide.live2', 'guide.live3'],
  },
  {
    id: 'desk',
    title: 'guide.desk',
    steps: ['guide.desk1', 'guide.desk2', 'guide.desk3', 'guide.desk4', 'guide.desk5', 'guide.desk6'],
  },
  {
    id: 'records',
    title: 'guide.records',
    steps: ['guide.records1', 'guide.records2', 'guide.records3'],
  },
  {
    id: 'lists',
    title: 'guide.lists',
    steps: ['guide.lists1', 'guide.lists2', 'guide.lists3', 'guide.lists4'],
  },
  {
    id: 'rights',
    title: 'guide.rights',
    steps: ['guide.rights1', 'guide.rights2', 'guide.rights3'],
  },
  {
    id: 'account',
    title: 'guide.account',
    steps: ['guide.account1', 'guide.account2', 'guide.account3'],
  },
  {
    id: 'trouble',
    title: 'guide.trouble',
    steps: ['guide.trouble1', 'guide.trouble2', 'guide.trouble3'],
  },
] as const
